import type { Caller } from '../context.ts'
import { networkOf } from '../platform/network.ts'

/** Whose window a request counts in: an API key's, a user's, or without either the client address's. */
export function subjectOf(caller: Caller | null, address: string): string {
  return caller ? `${caller.kind}:${caller.id}` : `address:${networkOf(address)}`
}

/** Where the requests of all callers of a team count together. */
export function teamSubjectOf({ teamId }: Caller): string {
  return `team:${teamId}`
}
