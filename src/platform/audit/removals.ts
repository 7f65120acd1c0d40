import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { Removal } from '../retention/removal.ts'
import { removeOldInAllTeams } from '../retention/remove-in-all-teams.ts'

const keptMs = 400 * 86_400_000

const removeOldestEntries = removeOldInAllTeams('audit_entries', 'at')

/** A trigger refuses to delete an entry without this, except with its team. */
async function removeEntries(tx: Tx, before: Date): Promise<number> {
  await sql`select set_config('posthorn.audit_removal', 'on', true)`.execute(tx.db)
  return removeOldestEntries(tx, before)
}

export const auditRemovals: Removal[] = [{ kind: 'audit.remove-old', keptMs, remove: removeEntries }]
