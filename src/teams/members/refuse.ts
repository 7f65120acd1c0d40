import type { Role, Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import { roleForbidden } from '../roles/refuse-role.ts'
import { owners } from '../roles/roles.ts'
import { countOwners } from './queries.ts'

/** Throws `forbidden` if any of the roles is owner and the caller is not one: only owners make and change owners. */
export function refuseOwnersRoles(caller: Role, touched: readonly Role[]): void {
  if (touched.includes('owner') && caller !== 'owner') throw roleForbidden(owners, caller)
}

/**
 * Throws `conflict` if the team has one owner only. Call it under the team's lock, before an owner goes or is lowered.
 */
export async function refuseLastOwner(tx: Tx, teamId: string): Promise<void> {
  if ((await countOwners(tx.db, teamId)) > 1) return
  throw conflict('This is the last owner of the team. Make another member an owner first, or delete the team.')
}
