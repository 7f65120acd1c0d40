import { type ReactNode, useContext } from 'react'
import { isNotFound, isTwoFactorMissing, Refusal } from '../../api/refusal.ts'
import { Button } from '../button/button.tsx'
import { Go } from '../go/go.tsx'
import { CountDown, textOfFault } from '../text/fault.tsx'
import { PageTitle } from './page.tsx'

/** Nothing is here yet: one sentence, and what brings it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <svg className="empty-mark" viewBox="0 0 12 64" width="12" height="64" aria-hidden="true">
        <path d="M6 0v20M6 34v30" />
        <circle cx="6" cy="27" r="4" />
      </svg>
      <div className="empty-words">
        <p className="empty-title">{title}</p>
        {children}
      </div>
    </div>
  )
}

/** Grey lines in the place of what is being fetched, after 150 ms. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div className="loading" aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={index} className="loading-line" />
      ))}
    </div>
  )
}

/** The title of a page whose thing is not there. */
export function titleWithout(error: unknown, title: string): string {
  return isNotFound(error) ? notFound : title
}

const notFound = 'Not found'
const missing = 'It was removed, belongs to another team, or the address is mistyped.'

/** Says that content could not be fetched. A 429 counts down and tries again by itself. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = isNotFound(error)
  const isForbidden = error instanceof Refusal && error.status === 403
  const needsTwoFactor = isTwoFactorMissing(error)
  const forbidden = needsTwoFactor ? 'Two-factor is required' : 'Not for your role'
  const title = isMissing ? notFound : isForbidden ? forbidden : 'This could not be loaded'
  const wait = error instanceof Refusal && error.status === 429 ? (error.retryAfter ?? 10) : null
  return (
    <div role="alert" className="fault">
      {title !== useContext(PageTitle) && <p className="empty-title">{title}</p>}
      <p>{isMissing ? missing : textOfFault(error)}</p>
      {needsTwoFactor && <Go to="/settings/security">Turn on two-factor</Go>}
      {wait !== null && <CountDown seconds={wait} onEnd={onRetry} />}
      {!isMissing && !isForbidden && wait === null && (
        <div>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  )
}

export type Fetched<T> = { data: T | undefined; error: unknown; refetch: () => unknown }

/** Shows what was fetched; grey lines before, and the failure if there is nothing to show. */
export function Fetch<T>({
  query,
  lines,
  children,
}: {
  query: Fetched<T>
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return <Loading {...(lines !== undefined && { lines })} />
}
