import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { PagePath } from '../../paths.ts'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path under `/app`, such as `/emails/42`. */
  to: PagePath | '.'
  search?: Record<string, string | undefined>
  replace?: boolean
  /** The other parameters of the address stay. */
  keepSearch?: boolean
}

/** A link to a page. Its code and data are fetched when it is hovered or focused. */
export function Go({ to, search, keepSearch, ...rest }: Props) {
  const wanted = keepSearch ? (before: object) => ({ ...before, ...search }) : search
  // The router marks links to the page that is shown; by default also those to the pages above it. Links that choose
  // what a page shows, such as a message of the inbox, differ by their search only.
  const active = { exact: true, includeSearch: search !== undefined }
  return <Link to={to} activeOptions={active} {...(wanted && { search: wanted })} {...rest} />
}
