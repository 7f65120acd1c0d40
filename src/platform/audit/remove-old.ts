import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { removeByAge } from '../jobs/remove-by-age.ts'

const keepMs = 400 * 86_400_000

/** Deletes audit entries that are older than 400 days. Nothing else may delete one: a trigger refuses it. */
export const removeOldAuditEntries = removeByAge('audit.remove-old', keepMs, removeSome)

async function removeSome(tx: Tx, before: Date, rowsMax: number): Promise<number> {
  await sql`select set_config('posthorn.audit_removal', 'on', true)`.execute(tx.db)
  const oldest = tx.db
    .selectFrom('audit_entries')
    .select(['team_id', 'id'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(rowsMax)
  const result = await tx.db
    .deleteFrom('audit_entries')
    .where(({ refTuple }) => sql<boolean>`${refTuple('team_id', 'id')} in (${oldest})`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
