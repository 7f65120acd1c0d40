import type { Caller } from '../context.ts'
import { forbidden } from '../platform/errors.ts'
import { roleForbidden } from '../teams/roles/refuse-role.ts'
import { admins } from '../teams/roles/roles.ts'

/** The rights of a key. `expiresAt` is null if they do not expire. */
export type Rights = Pick<Caller, 'permission' | 'mode' | 'domainId'> & { expiresAt: Date | null }

/**
 * Throws `forbidden` if a key would create one with more rights: mode, permission, domain and expiry must lie within
 * its own. A signed-in owner or admin may give any rights of the team, a developer `sending_access`.
 */
export function refuseGreaterKey(caller: Caller, key: Rights): void {
  if (caller.kind === 'user') {
    refuseFullAccess(caller, key)
    return
  }
  if (caller.permission !== 'full_access' && key.permission === 'full_access') {
    throw forbidden('A sending_access key cannot give full_access. Use a full_access key or sign in.')
  }
  if (caller.mode === 'test' && key.mode === 'live') {
    throw forbidden(
      'A test key cannot give live access: it makes and changes test keys only. Use a live key or sign in.',
    )
  }
  if (caller.domainId !== null && key.domainId !== caller.domainId) {
    throw forbidden(
      `This API key is restricted to one domain and can only create keys with the same domainId, ${caller.domainId}. Use an unrestricted key or sign in.`,
    )
  }
  const { expiresAt: end } = caller
  if (end && (!key.expiresAt || key.expiresAt > end)) {
    throw forbidden(
      `This API key expires at ${end.toISOString()} and cannot give another key a later expiry. Send an expiresAt that is not later, or sign in.`,
    )
  }
}

/**
 * Throws `forbidden` if a signed-in person would end a full_access key and is no owner or admin. A full_access key ends
 * others: an owner or admin made it.
 */
export function refuseEnding(caller: Caller, key: Pick<Rights, 'permission'>): void {
  if (caller.kind === 'user') refuseFullAccess(caller, key)
}

function refuseFullAccess({ role }: Caller, key: Pick<Rights, 'permission'>): void {
  if (key.permission !== 'full_access' || (role && admins.includes(role))) return
  throw roleForbidden(admins, role)
}
