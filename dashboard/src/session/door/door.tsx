import type { ReactNode } from 'react'
import { useTitle } from '../../ui/frame/page.tsx'

/** The frame of the pages for people who are not signed in: the mark, a heading, and one column. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className="door">
      <header className="door-head">
        <Mark />
        <span className="wordmark">Posthorn</span>
      </header>
      <main className="door-main">
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}

/** The route line, small: two stations passed, one ahead. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 12 28" width="12" height="28" aria-hidden="true">
      <path d="M6 3v22" />
      <circle cx="6" cy="4" r="3" className="passed" />
      <circle cx="6" cy="14" r="3" className="passed" />
      <circle cx="6" cy="24" r="3" />
    </svg>
  )
}
