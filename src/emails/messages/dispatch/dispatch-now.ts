import type { App } from '../../../context.ts'
import type { RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { boundedWait } from '../../../platform/while-database-is-gone.ts'
import type { EmailJob } from '../../jobs.ts'
import { findEmail } from '../../queries.ts'
import { type AcceptedEmail, emailOf } from '../accept/accepted.ts'
import { withdraw } from '../accept/withdraw.ts'
import { outboundOf } from '../outbound/outbound.ts'
import type { EmailStatus } from '../statuses.ts'
import { type HandOver, handOver } from './hand-over.ts'
import { factsOfHandOver, recordHanded, wasRefused } from './record.ts'

/** `status` is null if nothing was sent and nothing is stored; `message` says why. */
export type NowOutcome = { status: EmailStatus; message: null } | { status: null; message: string }

/** The longest time for which a silent relay holds a request. A worker waits until the relay's time-outs. */
const waitMaxMs = 30_000

/**
 * Hands an email over within the request that brought it. The request holds the email's job: when this process dies, a
 * worker finishes it. Throws `unavailable` if it was handed over but cannot be recorded for now.
 */
export async function dispatchNow(
  app: App,
  accepted: AcceptedEmail,
  job: EmailJob,
  key: RequestKey | null,
): Promise<NowOutcome> {
  const release = app.jobs.hold(job)
  const handing = handOver(app, job, outboundOf(accepted), { repeatLost: false, waitMaxMs })
  handing.catch(release)
  try {
    const handed = await handing
    const recording = recordOrWithdraw(app, accepted, job, key, handed).finally(() => {
      handed.leave()
      release()
    })
    return await boundedWait(recording)
  } catch (error) {
    if (error instanceof LeaseLost) return statusByAnother(app, accepted)
    throw error
  }
}

async function recordOrWithdraw(
  app: App,
  accepted: AcceptedEmail,
  job: EmailJob,
  key: RequestKey | null,
  { message, outcome, deliveries }: HandOver,
): Promise<NowOutcome> {
  if (outcome.kind === 'unavailable') {
    await app.transaction((tx) => withdraw(tx, accepted, key))
    return { status: null, message: outcome.message }
  }
  const refusedByAll = outcome.kind === 'answered' && wasRefused(outcome)
  const status: EmailStatus = refusedByAll ? 'bounced' : 'sent'
  const answer = key && { key, response: { status: 200, body: emailOf(accepted, status) } }
  const email = { teamId: accepted.teamId, id: accepted.id, tags: accepted.command.tags }
  await recordHanded(app, { job, email, facts: factsOfHandOver(message, outcome), deliveries, answer })
  return { status, message: null }
}

/** Returns the outcome of the process that took over the lease. */
async function statusByAnother(app: App, { teamId, id }: AcceptedEmail): Promise<NowOutcome> {
  const email = await findEmail(app.db, teamId, id)
  return { status: email?.status === 'scheduled' ? 'sent' : (email?.status ?? 'sent'), message: null }
}
