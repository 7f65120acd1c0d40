import type { App, Tx } from '../context.ts'
import { LeaseLost, type TeamJob } from '../platform/jobs/job.ts'
import { lockHeldJobs } from '../platform/jobs/leases.ts'
import { isDatabaseGone } from '../platform/sql/gone.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'
import { whileDatabaseIsGone } from '../platform/transaction/while-database-is-gone.ts'

/** What the mark of a message says. */
export type Marked<Outbound, Answer> =
  /** Marked by this call, which alone may send it. */
  | { kind: 'ready'; message: Outbound }
  /** Marked before, and its outcome was never recorded. */
  | { kind: 'handedOver' }
  /** Not to be sent any more. */
  | { kind: 'refused'; answer: Answer }
  /** Deleted with its team. */
  | { kind: 'gone' }

type MarkedRow = { isMarked: boolean; wasHandedOver: boolean }

type Channel<Job, Row extends MarkedRow, Outbound, Answer> = {
  /** Marks messages. Returns rows by the job's id, without jobs whose lease is lost. */
  mark(app: App, tx: Tx, jobs: Job[]): Promise<Map<string, Row>>
  markedOf(row: Row, job: Job): Marked<Outbound, Answer>
  send(app: App, message: Outbound): Promise<Answer>
}

/** Much less than the 10 s within which a caller is told that the database is out of reach. */
const markAgainMs = 3000

/** The answer for a message with a mark. */
const lost = {
  kind: 'unknown' as const,
  message: 'The process that was handing it over ended before the answer was recorded. It is not sent again.',
}

/**
 * Makes the function that hands the message of a job to the provider, at most once. It marks the message in a commit of
 * its own, before the request to the provider. After that commit no other process hands the message over. Calls share
 * commits. Its answer is null if the message was deleted. It throws `LeaseLost` if another process holds the job.
 */
export function handsOverOnce<Job extends TeamJob, Row extends MarkedRow, Outbound, Answer>({
  mark,
  markedOf,
  send,
}: Channel<Job, Row, Outbound, Answer>): (app: App, job: Job) => Promise<Answer | typeof lost | null> {
  async function markAll(app: App, tx: Tx, jobs: Job[]): Promise<(Marked<Outbound, Answer> | Error)[]> {
    const found = await mark(app, tx, jobs)
    return jobs.map((job) => {
      const row = found.get(job.id)
      return row ? markedOf(row, job) : new LeaseLost()
    })
  }
  const markOne: (app: App, job: Job) => Promise<Marked<Outbound, Answer>> = gatheredFor(
    async (app, jobs) => {
      // COMMIT follows in the same write, before the answer is read.
      const { marking } = await app.transaction(async (tx) => {
        const marking = markAll(app, tx, jobs)
        tx.unread(marking)
        return { marking }
      })
      return marking
    },
    { itemsMax: 200, flushesMax: 1 },
  )
  /**
   * Marks a message after the database was lost during the first try, which may have committed. If the message has a
   * mark, that try made it: this process still holds the lease, and no other held it before.
   */
  function markAgain(app: App, job: Job): Promise<Marked<Outbound, Answer>> {
    return app.transaction(async (tx) => {
      // Waits for the first try, which may be under way in the database.
      if (!(await lockHeldJobs(tx, [job])).has(job)) throw new LeaseLost()
      const row = (await mark(app, tx, [job])).get(job.id)
      if (!row) throw new LeaseLost()
      return markedOf({ ...row, isMarked: row.isMarked || row.wasHandedOver }, job)
    })
  }
  return async (app, job) => {
    const marked = await markOne(app, job).catch((error) => {
      if (job.attempts > 1 || !isDatabaseGone(error)) throw error
      return whileDatabaseIsGone(() => markAgain(app, job), markAgainMs)
    })
    if (marked.kind === 'gone') return null
    if (marked.kind === 'ready') return send(app, marked.message)
    return marked.kind === 'refused' ? marked.answer : lost
  }
}
