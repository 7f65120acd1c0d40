import type { App } from '../../../context.ts'
import { deleteHeldJobs, returnHeldJob } from '../../../platform/jobs/claim.ts'
import { type Job, type JobDefinition, type JobResult, LeaseLost, leaseMs } from '../../../platform/jobs/job.ts'
import { whileDatabaseIsGone } from '../../../platform/while-database-is-gone.ts'
import type { WhatsappAnswer } from '../../provider.ts'
import { sendKind } from './deliver-kind.ts'
import { findWaiting, type Waiting } from './hand-over.ts'
import { markHandedOver } from './mark.ts'
import { recordAnswer, recordUnknown } from './record.ts'

/** After these the provider is given up: a code or a notice that comes hours late helps nobody. */
const retryDelaysMs = [5000, 30_000, 2 * 60_000, 10 * 60_000]

/** What a process had accepted and died over: sent where it had not marked it, and never again where it had. */
export const sendWaiting: JobDefinition = {
  kind: sendKind,
  concurrency: 32,
  retryDelaysMs,
  async run(app, job) {
    const message = await findWaiting(app.db, job)
    if (!message) return undefined
    if (message.handedOverAt) return settleUnknown(app, job, message)
    if (!message.outbound) return settle(app, message, refused('The sender is not active any more.'))
    // Another process is at it after all: it records the answer, and removes this job with it.
    if (!(await markHandedOver(app, message))) return { runAt: new Date(app.clock.now().getTime() + leaseMs) }
    const answer = await app.whatsappProvider.send(message.outbound)
    return answer.kind === 'unavailable' ? repeatLater(app, job, message, answer.message) : settle(app, message, answer)
  },
}

function refused(message: string): Extract<WhatsappAnswer, { kind: 'refused' }> {
  return { kind: 'refused', message, data: null }
}

async function settle(
  app: App,
  { id, teamId }: Waiting,
  answer: Exclude<WhatsappAnswer, { kind: 'unavailable' }>,
): Promise<JobResult> {
  const handed = { teamId, messageId: id, answer, at: app.clock.now(), response: null }
  await whileDatabaseIsGone(() => recordAnswer(app, handed))
  return 'settled'
}

async function settleUnknown(app: App, job: Job, { id, teamId }: Waiting): Promise<JobResult> {
  const reason = 'The process that handed it over ended before it had the answer. It is not sent again by itself.'
  await app.transaction(async (tx) => {
    const held = await deleteHeldJobs(tx, [job])
    if (!held.has(job)) throw new LeaseLost()
    await recordUnknown(tx, [{ teamId, messageId: id, at: tx.now, reason }])
  })
  return 'settled'
}

/** Nothing was sent, so the mark is taken back. The first attempt was the request's, the second is the first of these. */
async function repeatLater(app: App, job: Job, message: Waiting, reason: string): Promise<JobResult> {
  const delayMs = retryDelaysMs[job.attempts - 2]
  if (delayMs === undefined) return settle(app, message, refused(`Given up: ${reason}`))
  await app.transaction(async (tx) => {
    const runAt = new Date(tx.now.getTime() + delayMs)
    if (!(await returnHeldJob(tx, job, runAt, { error: reason.slice(0, 500) }))) throw new LeaseLost()
    await tx.db
      .updateTable('whatsapp_messages')
      .set({ handed_over_at: null })
      .where('team_id', '=', message.teamId)
      .where('id', '=', message.id)
      .execute()
  })
  return 'settled'
}
