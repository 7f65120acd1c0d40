import type { App, Tx } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { continueHeldJob } from '../../../platform/jobs/leases.ts'
import { untilDatabaseIsBack } from '../../../platform/transaction/while-database-is-gone.ts'
import { deliverWhatsappJob, type WhatsappMessageJob } from '../../jobs.ts'
import { handOver } from './hand-over.ts'
import { refusalOfWaiting } from './own-refusals.ts'
import { endDiscarded, recordHanded } from './record.ts'

/**
 * Delays between attempts of a worker. After the last one the message fails: a code or a notice is useless hours later.
 */
const retryDelaysMs = [5000, 30_000, 2 * 60_000, 10 * 60_000]

/**
 * Takes over messages of a process that died. Hands over the messages without a mark, and records an unknown outcome
 * for the others.
 */
export const deliverWhatsapp = defineJob(deliverWhatsappJob, {
  atRestore: 'discard',
  concurrency: 32,
  retryDelaysMs,
  attemptsMax: retryDelaysMs.length + 1,
  onDiscard: endDiscarded,
  onRetry: async () => 'The message has ended. Its team sends it again.',
  async run(app, job) {
    const answer = (await refusalOfWaiting(app, job)) ?? (await handOver(app, job))
    if (!answer) return undefined
    if (answer.kind === 'unavailable') await retryLater(app, job, answer.message)
    else await recordHanded(app, { job, answer, key: null })
    return 'recorded'
  },
})

/**
 * Tries again, because nothing was sent. The request made the first attempt, so a worker's first one has `attempts` 2.
 */
async function retryLater(app: App, job: WhatsappMessageJob, reason: string): Promise<void> {
  const delayMs = retryDelaysMs[job.attempts - 2]
  if (delayMs === undefined) {
    const answer = { kind: 'unavailable' as const, message: `Given up: ${reason}` }
    await recordHanded(app, { job, answer, key: null })
    return
  }
  await untilDatabaseIsBack(app, () => app.transaction((tx) => giveBack(tx, job, delayMs, reason)))
}

/** Removes the mark with the return of the job: a worker that found the mark would record an unknown outcome. */
async function giveBack(tx: Tx, job: WhatsappMessageJob, delayMs: number, reason: string): Promise<void> {
  const runAt = new Date(tx.now.getTime() + delayMs)
  await continueHeldJob(tx, job, runAt, { error: reason.slice(0, 500) })
  await tx.db
    .updateTable('whatsapp_messages')
    .set({ handed_over_at: null })
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.key)
    .execute()
}
