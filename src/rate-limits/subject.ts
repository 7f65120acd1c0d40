import type { Caller } from '../context.ts'
import { networkOf } from '../platform/network.ts'

/** Returns the subject a request counts for: the API key, the user, or else the client address. */
export function subjectOf(caller: Caller | null, address: string): string {
  return caller ? `${caller.kind}:${caller.id}` : `address:${networkOf(address)}`
}

/** Returns the subject that all callers of a team count for together. */
export function teamSubjectOf({ teamId }: Caller): string {
  return `team:${teamId}`
}
