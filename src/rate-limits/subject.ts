import type { Caller } from '../context.ts'
import { networkOf } from '../platform/network.ts'

/** Whose window a request counts in: an API key's, a user's, or without either the client address's. */
export function subjectOf(caller: Caller | null, address: string): string {
  return caller ? `${caller.kind}:${caller.id}` : `address:${networkOf(address)}`
}
