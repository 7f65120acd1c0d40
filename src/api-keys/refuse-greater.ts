import type { Caller } from '../context.ts'
import { forbidden } from '../platform/errors.ts'

/** The rights of a key and their end; `expiresAt` null is without end. */
export type Rights = Pick<Caller, 'permission' | 'domainId'> & { expiresAt: Date | null }

/**
 * No key makes a greater one: permission, domain and end of `key` lie within the caller's. A signed-in person may give any
 * rights of the team. Throws `forbidden`.
 */
export function refuseGreaterKey(caller: Caller, key: Rights): void {
  if (caller.kind !== 'apiKey') return
  if (caller.permission !== 'full_access' && key.permission === 'full_access') {
    throw forbidden('A sending_access key cannot give full_access. Use a full_access key or sign in.')
  }
  if (caller.domainId !== null && key.domainId !== caller.domainId) {
    throw forbidden(
      `This API key is restricted to one domain and can only make keys with the same domainId, ${caller.domainId}. Use an unrestricted key or sign in.`,
    )
  }
  const { expiresAt: end } = caller
  if (end && (!key.expiresAt || key.expiresAt > end)) {
    throw forbidden(
      `This API key ends at ${end.toISOString()} and cannot give another key a later end. Send an expiresAt that is not later, or sign in.`,
    )
  }
}
