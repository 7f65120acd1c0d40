import type { App, Db, Tx } from '../context.ts'
import { conflict, providerFailed } from '../platform/errors.ts'
import { deleteRequestKeys, type RequestKey } from '../platform/idempotency/keys.ts'
import { LeaseLost, type TeamJob } from '../platform/jobs/job.ts'
import { boundedWait, untilDatabaseIsBack } from '../platform/transaction/while-database-is-gone.ts'

type Answer = { kind: 'unavailable'; message: string } | { kind: 'accepted' | 'refused' | 'unknown' }

/** The parts of a channel that a hand-over within a request needs. */
type Channel<Job, Accepted, Given extends Answer, Message> = {
  handOver(app: App, job: Job): Promise<Given | null>
  record(app: App, handed: { job: Job; answer: Given; key: RequestKey | null }): Promise<Message>
  withdraw(tx: Tx, accepted: Accepted, key: RequestKey | null): Promise<void>
  find(db: Db, teamId: string, id: string): Promise<Message | undefined>
}

type HandOverOrder<Accepted> = {
  accepted: Accepted
  /** Stored with the answer. */
  key: RequestKey | null
  /** Keeps a message as failed if the provider is out of reach, in place of withdrawing and refusing it. */
  keepsFailed?: boolean
}

/**
 * Makes the hand-over of a channel's message within its request, which returns the message as it is afterwards. The
 * request holds the job of the message: if this process dies, a worker finishes it. Throws `providerFailed` if the
 * message was withdrawn, `unavailable` if it was handed over but cannot be recorded at the moment, and `conflict` if it
 * was deleted meanwhile.
 */
export function dispatchesNow<Job extends TeamJob, Accepted extends { job: Job }, Given extends Answer, Message>(
  channel: Channel<Job, Accepted, Given, Message>,
) {
  return async (app: App, order: HandOverOrder<Accepted>): Promise<Message> => {
    const { job } = order.accepted
    const release = app.jobs.hold(job)
    const handing = channel.handOver(app, job)
    handing.catch(release)
    let answer: Given | null = null
    try {
      answer = await handing
      return await boundedWait(settle(app, channel, order, answer).finally(release))
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
      // This process was paused for longer than its lease, or did not see its own commit.
      const message = await channel.find(app.db, job.teamId, job.key)
      if (message) return message
      // Its withdrawal was committed, and the answer of the commit was lost.
      if (answer?.kind === 'unavailable') throw nothingSent(answer.message)
      await app.transaction((tx) => deleteRequestKeys(tx, [order.key]))
      throw conflict(
        'The message was deleted while it was being sent: its recipient was erased, or its team deleted. It may arrive.',
      )
    }
  }
}

async function settle<Job, Accepted extends { job: Job }, Given extends Answer, Message>(
  app: App,
  { record, withdraw }: Channel<Job, Accepted, Given, Message>,
  { accepted, key, keepsFailed = false }: HandOverOrder<Accepted>,
  answer: Given | null,
): Promise<Message> {
  const { job } = accepted
  if (!answer) throw new LeaseLost()
  if (answer.kind !== 'unavailable' || keepsFailed) return record(app, { job, answer, key })
  try {
    await untilDatabaseIsBack(app, () => app.transaction((tx) => withdraw(tx, accepted, key)))
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    // Another process took the message over, and may have recorded an unknown outcome.
    return record(app, { job, answer, key })
  }
  throw nothingSent(answer.message)
}

function nothingSent(why: string) {
  return providerFailed(`${why} Nothing was sent; the request can be repeated.`)
}
