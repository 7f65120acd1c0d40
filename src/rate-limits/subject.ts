import type { Caller } from '../context.ts'
import { networkOf } from '../platform/network/network.ts'

/**
 * Returns the subject a request counts for: the API key, the user, or else the client address. What a user's browser
 * sessions read counts together, apart from the user's other requests.
 */
export function subjectOf(caller: Caller | null, address: string): string {
  if (!caller) return `address:${networkOf(address)}`
  return `${caller.isBrowser ? 'browser' : caller.kind}:${caller.id}`
}

/** Returns the subject that all callers of a team count for together. What browser sessions read has one of its own. */
export function teamSubjectOf({ teamId, isBrowser }: Caller): string {
  return `${isBrowser ? 'browsers' : 'team'}:${teamId}`
}
