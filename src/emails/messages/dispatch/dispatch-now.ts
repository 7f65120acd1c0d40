import type { App } from '../../../context.ts'
import type { RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { isDatabaseGone } from '../../../platform/sql/gone.ts'
import { boundedWait } from '../../../platform/transaction/while-database-is-gone.ts'
import type { EmailJob } from '../../jobs.ts'
import type { EmailAnswer, Unavailable } from '../../provider.ts'
import { findEmail } from '../../queries.ts'
import { type AcceptedEmail, emailOf, type Outbound, outboundOf } from '../email.ts'
import { describeOutbound } from '../outbound/compose.ts'
import { answeredStatus, type EmailStatus } from '../statuses.ts'
import { type Ending, endingOf, statusOf } from './ending.ts'
import { type HandOver, handOver, notHandedOver } from './hand-over.ts'
import { recordHanded } from './record.ts'
import { type Refusable, withdrawAndRefuse } from './withdraw-and-refuse.ts'

/**
 * `unreachable` is the provider's answer if it could not be reached, and null otherwise. A batch gives this answer to
 * its next email without asking again. `isLate` is set if the outcome was not recorded within 8 s. It is recorded
 * later.
 */
export type NowOutcome = { status: EmailStatus; unreachable: EmailAnswer | null; isLate?: true }

/** The longest time for which a silent relay holds a request. A worker waits until the relay's time-outs. */
const waitMaxMs = 30_000

type HandOverOrder = Refusable & {
  job: EmailJob
  /** Its answer is stored with the record of the email. */
  key: RequestKey | null
  /** The answer for an earlier email of the request, which this one shares without being tried. */
  known?: EmailAnswer | null
}

/**
 * Hands an email over within the request that brought it. The request holds the email's job: when this process dies, a
 * worker finishes it, and when the provider is not there, a worker tries it again. An outcome that cannot be recorded
 * within 8 s is answered all the same: the email is durable, and after an error the caller would send it again.
 *
 * With EMAIL_UNREACHABLE=refuse an email that cannot be handed over now is withdrawn instead. It then throws the
 * refusal of the request. If the withdrawal takes more than 8 s it throws `unavailable`, and the withdrawal continues.
 */
export async function dispatchNow(app: App, order: HandOverOrder): Promise<NowOutcome> {
  try {
    const handed = await handOverHeld(app, order)
    if (!mustWithdraw(app, handed)) return await recordOrAnswerLate(app, order, handed)
    const refusal = await boundedWait(withdrawAndRefuse(app, order, handed.answer.message).finally(handed.leave))
    if (refusal) throw refusal
    return await outcomeByAnother(app, order.accepted)
  } catch (error) {
    if (error instanceof LeaseLost) return outcomeByAnother(app, order.accepted)
    throw error
  }
}

/** Hands the email over and holds its job meanwhile. `leave` of the result also ends the hold. */
async function handOverHeld(app: App, { accepted, job, known = null }: HandOverOrder): Promise<HandOver> {
  const release = app.jobs.hold(job)
  const email = outboundOf(accepted)
  try {
    const handed = known ? notHandedOver(describeOutbound(app, email), known) : await handOverOrDelay(app, job, email)
    const leave = () => {
      handed.leave()
      release()
    }
    return { ...handed, leave }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * If we fail to compose or hand over an email, it waits as if the provider were absent. Workers try it again, and it
 * bounces if they fail too. The request gets no error, because the email is accepted and the caller would send it
 * twice. With EMAIL_UNREACHABLE=refuse the email is withdrawn, and the request gets an error.
 */
async function handOverOrDelay(app: App, job: EmailJob, email: Outbound): Promise<HandOver> {
  try {
    return await handOver(app, job, email, { isBroadcast: false, waitMaxMs })
  } catch (error) {
    if (error instanceof LeaseLost || isDatabaseGone(error)) throw error
    app.log.error({ err: error, email: email.id }, 'an email could not be handed over, will be repeated')
    return notHandedOver(describeOutbound(app, email), ourFault)
  }
}

const ourFaultText = 'The message could not be handed over because of an internal error.'
const ourFault: EmailAnswer = {
  kind: 'unavailable',
  message: ourFaultText,
  diagnosis: { status: '4.3.0', diagnosticCode: ourFaultText },
  isReachable: true,
}

/** True if the email must be withdrawn and the request refused, because the provider did not take it. */
function mustWithdraw(app: App, handed: HandOver): handed is HandOver & { answer: Unavailable } {
  return handed.answer.kind === 'unavailable' && app.config.emailUnreachable === 'refuse'
}

/** Records the outcome, then leaves the hand-over. Returns the outcome after 8 s also if it is not recorded yet. */
async function recordOrAnswerLate(app: App, order: HandOverOrder, handed: HandOver): Promise<NowOutcome> {
  const { ending, outcome } = decide(order.job, handed, app.clock.now())
  const recording = recordOutcome(app, order, ending, outcome).finally(handed.leave)
  return boundedWait(recording, () => ({ ...outcome, isLate: true }))
}

/** Decides the result of the hand-over. Leaves the hand-over if it throws. */
function decide(job: EmailJob, handed: HandOver, now: Date): { ending: Ending; outcome: NowOutcome } {
  const { answer } = handed
  try {
    const ending = endingOf(job, handed, now)
    const unreachable = answer.kind === 'unavailable' && !answer.isReachable ? answer : null
    return { ending, outcome: { status: statusOf(ending, answer), unreachable } }
  } catch (error) {
    handed.leave()
    throw error
  }
}

async function recordOutcome(
  app: App,
  { accepted, job, key }: HandOverOrder,
  ending: Ending,
  outcome: NowOutcome,
): Promise<NowOutcome> {
  const response = key && { key, response: { status: 200, body: emailOf(accepted, outcome.status) } }
  const { teamId, id, command } = accepted
  const email = { teamId, id, tags: command.tags, system: command.system ?? false }
  await recordHanded(app, { job, email, ending, response })
  return outcome
}

/** Returns the outcome of the process that took over the lease, or of a commit of this one whose answer was lost. */
async function outcomeByAnother(app: App, { teamId, id }: AcceptedEmail): Promise<NowOutcome> {
  const email = await findEmail(app.db, teamId, id)
  const status = !email || email.status === 'scheduled' ? 'sent' : answeredStatus(email.status)
  return { status, unreachable: null }
}
