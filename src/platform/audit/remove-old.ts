import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import type { Schedule } from '../jobs/job.ts'

const keepMs = 400 * 86_400_000
/** One commit's rows, and the commits of a run. What is left waits for the next run. */
const rowsMax = 1000
const commitsMax = 100

/** Deletes audit entries that are older than 400 days. Nothing else may delete one: a trigger refuses it. */
export const removeOldAuditEntries: Schedule = {
  kind: 'audit.remove-old',
  everyMs: 3_600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - keepMs)
    for (let commits = 0; commits < commitsMax; commits++) {
      if ((await app.transaction((tx) => removeSome(tx, before))) < rowsMax) return
    }
  },
}

async function removeSome(tx: Tx, before: Date): Promise<number> {
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
