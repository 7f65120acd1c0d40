import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { removeByAge } from '../remove-by-age.ts'

const keepMs = 30 * 86_400_000

/** Removes discarded jobs after 30 days. */
export const removeDiscardedJobs = removeByAge('jobs.remove-discarded', keepMs, removeSome)

async function removeSome(tx: Tx, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from discarded_jobs where id = any(array(
      select id from discarded_jobs where discarded_at < ${before} order by discarded_at limit ${rowsMax}
    ))
  `.execute(tx.db)
  return Number(numAffectedRows)
}
