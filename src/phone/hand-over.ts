import type { App, Tx } from '../context.ts'
import { LeaseLost, type TeamJob } from '../platform/jobs/job.ts'
import { gatheredFor } from '../platform/transaction/gather.ts'

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

type Channel<Job, Row, Outbound, Answer> = {
  /** Marks messages. Returns rows by the job's id, without jobs whose lease is lost. */
  mark(app: App, tx: Tx, jobs: Job[]): Promise<Map<string, Row>>
  markedOf(row: Row, job: Job): Marked<Outbound, Answer>
  send(app: App, message: Outbound): Promise<Answer>
}

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
export function handsOverOnce<Job extends TeamJob, Row, Outbound, Answer>({
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
  return async (app, job) => {
    const marked = await markOne(app, job)
    if (marked.kind === 'gone') return null
    if (marked.kind === 'ready') return send(app, marked.message)
    return marked.kind === 'refused' ? marked.answer : lost
  }
}
