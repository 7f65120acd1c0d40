import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import type { Schedule } from '../job.ts'

const keepMs = 30 * 86_400_000
/** One commit's rows, and the commits of a run. What is left waits for the next run. */
const rowsMax = 1000
const commitsMax = 100

/** Removes discarded jobs after 30 days. */
export const removeDiscardedJobs: Schedule = {
  kind: 'jobs.remove-discarded',
  everyMs: 3_600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - keepMs)
    for (let commits = 0; commits < commitsMax; commits++) {
      if ((await app.transaction((tx) => removeSome(tx, before))) < rowsMax) return
    }
  },
}

async function removeSome(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from discarded_jobs where id = any(array(
      select id from discarded_jobs where discarded_at < ${before} order by discarded_at limit ${rowsMax}
    ))
  `.execute(tx.db)
  return Number(numAffectedRows)
}
