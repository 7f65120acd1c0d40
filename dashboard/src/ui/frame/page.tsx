import { createContext, type ReactNode, useEffect } from 'react'

type Props = {
  /** The heading, and the document's title. */
  title: string
  /** The page's buttons, beside the heading. */
  actions?: ReactNode
  /** A line above the heading: where the page belongs. */
  above?: ReactNode
  /** 720 px wide, for reading and forms. */
  isNarrow?: boolean
  /** Sets the heading in the fixed-width face, for addresses and ids. */
  isMono?: boolean
  /** The page takes the height of the window and scrolls in its parts. */
  isFilling?: boolean
  children: ReactNode
}

/** The heading of the page that a part stands in. */
export const PageTitle = createContext('')

export function Page({ title, actions, above, isNarrow, isMono, isFilling, children }: Props) {
  useTitle(title)
  const kinds = [isNarrow && 'page-narrow', isFilling && 'page-filling'].filter(Boolean).join(' ')
  return (
    <div className={`page ${kinds}`}>
      <header className="page-head">
        <div className="page-name">
          {above && <div className="page-above">{above}</div>}
          <h1 className={isMono ? 'mono-title' : undefined}>{title}</h1>
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      <PageTitle value={title}>{children}</PageTitle>
    </div>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Posthorn`
  }, [title])
}
