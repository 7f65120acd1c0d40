import type { ReactNode } from 'react'
import { pages } from '../pages.ts'
import { Go } from '../ui/go.tsx'

type Props = { to: string; search?: Record<string, string>; children: ReactNode }

/** A link to a page, or its words where there is no such page. */
export function PageLink({ to, search, children }: Props) {
  if (!pages.some(({ path }) => path === to)) return children
  return (
    <Go to={to} {...(search && { search })}>
      {children}
    </Go>
  )
}
