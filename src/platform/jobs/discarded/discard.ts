import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { type Job, type JobDefinition, LeaseLost } from '../job.ts'

/**
 * Discards a held job and tells the thing it works on, in one commit. Throws `LeaseLost` if the lease was lost, and
 * then changes nothing, so that two processes never discard one job.
 */
export function discardHeldJob(
  app: App,
  definition: JobDefinition,
  job: Job,
  error: Error,
  isTold = true,
): Promise<void> {
  return app.transaction(async (tx) => {
    if (isTold) await definition.onDiscard?.(app, tx, job, reasonOf(error), false)
    if (!(await moveToDiscarded(tx, job, inOneLine(error)))) throw new LeaseLost()
  })
}

async function moveToDiscarded(tx: Tx, { id, leaseToken }: Job, error: string): Promise<boolean> {
  const rows = await tx.send(sql`
    with gone as (
      delete from jobs where id = ${id} and lease_token = ${leaseToken}
      returning id, kind, team_id, key, payload, attempts, created_at
    )
    insert into discarded_jobs (id, kind, team_id, key, payload, attempts, created_at, error, discarded_at)
    select id, kind, team_id, key, payload, attempts, created_at, ${error}, ${tx.now} from gone
    returning id
  `)
  return rows.length === 1
}

/** The first line of an error, for operators. */
export function inOneLine(error: Error): string {
  // PostgreSQL stores no NUL.
  const [line = ''] = error.message.replaceAll('\0', '').split('\n')
  return line.slice(0, 500).toWellFormed() || error.name
}

/** An error as a team may read it. Errors of the database and of the system may name hosts, files and tables. */
function reasonOf(error: Error): string {
  return 'code' in error ? 'An internal error; the operator finds it in the log.' : inOneLine(error)
}
