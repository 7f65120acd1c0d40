import type { Caller } from '../context.ts'
import { networkOf } from '../platform/network.ts'

/**
 * Returns the subject a request counts for: the API key, the user, or else the client address. A user's browser sessions count
 * together, apart from the user's access tokens.
 */
export function subjectOf(caller: Caller | null, address: string): string {
  if (!caller) return `address:${networkOf(address)}`
  return `${caller.isBrowser ? 'browser' : caller.kind}:${caller.id}`
}

/** Returns the subject that all callers of a team count for together. Browser sessions have one of their own. */
export function teamSubjectOf({ teamId, isBrowser }: Caller): string {
  return `${isBrowser ? 'browsers' : 'team'}:${teamId}`
}
