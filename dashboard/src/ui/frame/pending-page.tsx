import type { ReactNode } from 'react'
import { Page } from './page.tsx'
import { Fetch, type Fetched, titleWithout } from './states.tsx'

/** The page of a thing that is being fetched, or that could not be. */
export function PendingPage({ title, query, above }: { title: string; query: Fetched<unknown>; above?: ReactNode }) {
  return (
    <Page title={titleWithout(query.error, title)} above={above}>
      <Fetch query={query}>{() => null}</Fetch>
    </Page>
  )
}
