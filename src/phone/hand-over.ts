import type { App, SentAtOnce, Tx } from '../context.ts'
import { LeaseLost, type TeamJob } from '../platform/jobs/job.ts'
import { lockHeldJobs } from '../platform/jobs/leases.ts'
import { isDatabaseGone } from '../platform/sql/gone.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { whileDatabaseIsGone } from '../platform/transaction/while-database-is-gone.ts'
import { type MarkedRow, type Marking, markMessages } from './mark.ts'

type Channel<Job, Columns, Outbound, Answer> = {
  marking: Marking
  /** Makes the message for the provider from its marked row. */
  outboundOf(row: MarkedRow & Columns, job: Job): Outbound
  send(app: App, message: Outbound): Promise<Answer>
}

/** Much less than the 10 s within which a caller is told that the database is out of reach. */
const markAgainMs = 3000

/** The answer for a message that was marked before and whose outcome was never recorded. */
const lost = {
  kind: 'unknown' as const,
  message: 'The process that was handing it over ended before the answer was recorded. It is not sent again.',
}

/** The answer for a message whose sender was suspended or failed after the message was accepted. */
export const inactiveSender = {
  kind: 'refused' as const,
  message: 'The sender is not active any more.',
  data: null,
}

/**
 * Makes the function that hands the message of a job to the provider, at most once. It marks the message in a commit of
 * its own, before the request to the provider. After that commit no other process hands the message over. Calls share
 * commits. Its answer is null if the message was deleted, and `inactiveSender` if the sender is not active or the
 * message has ended. It throws `LeaseLost` if another process holds the job.
 */
export function handsOverOnce<Job extends TeamJob, Columns, Outbound, Answer>({
  marking,
  outboundOf,
  send,
}: Channel<Job, Columns, Outbound, Answer>) {
  type Row = MarkedRow & Columns

  async function markAll(app: App, tx: Tx, jobs: Job[]): SentAtOnce<(Row | Error)[]> {
    const found = await markMessages<Columns>(app, tx, jobs, marking)
    return jobs.map(({ id }) => found.get(id) ?? new LeaseLost())
  }
  const markOne: (app: App, job: Job) => Promise<Row> = gatheredFor(
    async (app, jobs) => {
      // COMMIT follows in the same write, before the answer is read.
      const { rows } = await app.transaction(async (tx) => {
        const rows = markAll(app, tx, jobs)
        tx.withCommit(rows)
        return { rows }
      })
      return rows
    },
    { itemsMax: 200, flushesMax: 1 },
  )
  /**
   * Marks a message after the database was lost during the first try, which may have committed. If the message has a
   * mark, that try made it: this process still holds the lease, and no other held it before.
   */
  function markAgain(app: App, job: Job): Promise<Row> {
    return app.transaction(async (tx) => {
      // Waits for the first try, which may be under way in the database.
      if (!(await lockHeldJobs(tx, [job])).has(job)) throw new LeaseLost()
      const row = (await markMessages<Columns>(app, tx, [job], marking)).get(job.id)
      if (!row) throw new LeaseLost()
      return { ...row, isMarked: row.isMarked || row.wasHandedOver }
    })
  }
  return async (app: App, job: Job): Promise<Answer | typeof lost | typeof inactiveSender | null> => {
    const row = await markOne(app, job).catch((error) => {
      if (job.attempts > 1 || !isDatabaseGone(error)) throw error
      return whileDatabaseIsGone(() => markAgain(app, job), markAgainMs)
    })
    if (!row.exists) return null
    if (row.isMarked) return send(app, outboundOf(row, job))
    return row.wasHandedOver ? lost : inactiveSender
  }
}
