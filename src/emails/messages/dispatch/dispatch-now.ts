import type { App } from '../../../context.ts'
import type { RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { boundedWait } from '../../../platform/while-database-is-gone.ts'
import type { EmailJob } from '../../jobs.ts'
import { findEmail } from '../../queries.ts'
import { type AcceptedEmail, emailOf } from '../accept/accepted.ts'
import { withdraw } from '../accept/withdraw.ts'
import type { EmailStatus } from '../statuses.ts'
import { type HandOver, handOver } from './hand-over.ts'
import { outboundOf } from './outbound.ts'
import { factsOf, recordHanded, wasRefused } from './record.ts'

/** `status` null: nothing was sent, nothing is stored, and `message` says why. */
export type NowOutcome = { status: EmailStatus; message: null } | { status: null; message: string }

/**
 * Hands an email over within the request that brought it. The request holds the email's job: when this process dies, a
 * worker finishes it. Throws `unavailable` where it was handed over but cannot be recorded for now.
 */
export async function dispatchNow(
  app: App,
  accepted: AcceptedEmail,
  job: EmailJob,
  key: RequestKey | null,
): Promise<NowOutcome> {
  const release = app.jobs.hold(job)
  const handing = handOverOrWithdraw(app, accepted, key)
  handing.catch(release)
  try {
    const { message, outcome, deliveries } = await handing
    if (outcome.kind === 'unavailable') {
      release()
      return { status: null, message: outcome.message }
    }
    const refusedByAll = outcome.kind === 'answered' && wasRefused(outcome)
    const status: EmailStatus = refusedByAll ? 'bounced' : 'sent'
    const answer = key && { key, response: { status: 200, body: emailOf(accepted, status) } }
    const email = { teamId: accepted.teamId, id: accepted.id }
    const handed = { job, email, facts: factsOf(message, outcome), deliveries, answer }
    const recording = recordHanded(app, handed).finally(release)
    await boundedWait(recording)
    return { status, message: null }
  } catch (error) {
    if (error instanceof LeaseLost) return statusByAnother(app, accepted)
    throw error
  }
}

async function handOverOrWithdraw(app: App, accepted: AcceptedEmail, key: RequestKey | null): Promise<HandOver> {
  const handed = await handOver(app, outboundOf(accepted), { repeatLost: false })
  if (handed.outcome.kind === 'unavailable') await app.transaction((tx) => withdraw(tx, accepted, key))
  return handed
}

/** This process was away for longer than its lease; what the other made of the email is the answer. */
async function statusByAnother(app: App, { teamId, id }: AcceptedEmail): Promise<NowOutcome> {
  const email = await findEmail(app.db, teamId, id)
  return { status: email?.status === 'scheduled' ? 'sent' : (email?.status ?? 'sent'), message: null }
}
