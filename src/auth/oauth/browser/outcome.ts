import { DomainError, type RefusalKind } from '../../../platform/errors.ts'

/** Why a sign-in failed, in a word: the page says it in a sentence. A sentence in the address could be anybody's. */
type Failure = 'expired' | 'cancelled' | 'refused' | 'closed' | 'unverified' | 'throttled' | 'unavailable'

const failures: Partial<Record<RefusalKind, Failure>> = {
  unauthenticated: 'refused',
  forbidden: 'closed',
  conflict: 'unverified',
  limitExceeded: 'throttled',
  providerFailed: 'unavailable',
  unavailable: 'unavailable',
}

/**
 * Returns the sign-in page that says what failed, or asks for the code of the second factor. Rethrows anything but a
 * refusal.
 */
export function pageOfRefusal(error: unknown, next: string): string {
  if (!(error instanceof DomainError)) throw error
  const { pendingToken } = error.details.extra ?? {}
  if (typeof pendingToken !== 'string') return failedPage(failures[error.kind] ?? 'refused', next)
  // Behind `#`, where no log keeps it.
  return `/app/sign-in?${new URLSearchParams({ next })}#${new URLSearchParams({ pending: pendingToken })}`
}

export function failedPage(failure: Failure, next: string): string {
  return `/app/sign-in?${new URLSearchParams({ failed: failure, next })}`
}
