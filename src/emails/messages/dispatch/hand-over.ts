import type { App } from '../../../context.ts'
import type { NewJob } from '../../../platform/jobs/enqueue.ts'
import { holdsLease, type Job, LeaseLost } from '../../../platform/jobs/job.ts'
import { createSemaphore } from '../../../platform/limits/semaphore.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import { perApp } from '../../../platform/per-app.ts'
import type { DeliveryJob, EmailJob } from '../../jobs.ts'
import type { EmailAnswer, MessageHead, OutboundMessage, WholeProvider } from '../../provider.ts'
import { type Outbound, sizeOf } from '../email.ts'
import { composeOutbound, describeOutbound } from '../outbound/compose.ts'
import { repeatByDomain, splitByDomain } from './by-domain/split.ts'
import { type Attempted, maybeTaken, mayRepeatLost } from './ending.ts'

export type HandOver = Attempted & {
  /** The provider was given the message, and a recipient may have it. */
  mayBeOut: boolean
  /**
   * Frees the email's place among those that are not recorded. Call it once, when the answer is recorded or cannot be.
   */
  leave(): void
}

/**
 * `isBroadcast` is true for an email of a broadcast, which is not sent again after a lost answer. `waitMaxMs` limits
 * the time from here to the provider's answer, with the wait for a place. If it is left out, the provider's own limits
 * hold.
 */
type HandOverOptions = { isBroadcast: boolean; waitMaxMs?: number }

/**
 * Gives an email to the provider, or to the jobs that deliver it to each of its recipients' domains. Recipients without
 * a final answer of a relay are given to such jobs too. Throws `LeaseLost` if another process may have the job.
 */
export async function handOver(app: App, job: EmailJob, email: Outbound, options: HandOverOptions): Promise<HandOver> {
  const provider = app.providers.email[modeOf(email.teamId)]
  const { isBroadcast, waitMaxMs } = options
  const repeatsLost = app.config.emailLostReply === 'repeat' && !isBroadcast
  // The provider is `direct`.
  if ('findRoute' in provider) return handToDomainJobs(describeOutbound(app, email), repeatsLost)
  const giveUpAt = waitMaxMs === undefined ? undefined : performance.now() + waitMaxMs
  const leave = await enterUnrecorded(app, sizeOf(email, email.source))
  if (!leave) return notHandedOver(describeOutbound(app, email), crowded)
  try {
    const message = await composeOutbound(app, email)
    const answer = await sendUnderLease(app, job, provider, message, giveUpAt)
    const deliveries = deliveriesOf(job, message, answer, repeatsLost, app.clock.now())
    const mayBeOut = answer.kind === 'unknown' || (answer.kind === 'answered' && maybeTaken(answer))
    return { message, answer, deliveries, repeatsLost, mayBeOut, leave }
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * Leaves an email to jobs that deliver it later, one for each domain. It counts as sent from now on, so the answer has
 * all recipients as accepted.
 */
function handToDomainJobs(message: MessageHead, repeatsLost: boolean): HandOver {
  const answer: EmailAnswer = { kind: 'answered', accepted: message.envelope.to, facts: [], response: null }
  const deliveries = splitByDomain(message, { repeatsLost })
  return { message, answer, deliveries, repeatsLost, mayBeOut: false, leave: () => undefined }
}

/**
 * Gives a message to the provider unless its lease has expired, which is checked again when the provider has a free
 * connection. A process that was stopped for longer than a lease would otherwise hand over a message that others have
 * sent meanwhile.
 */
export async function sendUnderLease(
  app: App,
  job: Job,
  provider: WholeProvider,
  message: OutboundMessage,
  giveUpAt?: number,
): Promise<EmailAnswer> {
  const mayBegin = () => holdsLease(job, app.clock.now())
  if (!mayBegin()) throw new LeaseLost()
  return provider.send({ ...message, terms: { mayBegin, ...(giveUpAt !== undefined && { giveUpAt }) } })
}

const tooMany = 'Too many emails are being handed over at the moment.'
const crowded: EmailAnswer = {
  kind: 'unavailable',
  message: tooMany,
  diagnosis: { status: '4.3.2', diagnosticCode: tooMany },
  isReachable: true,
}

/** Returns the hand-over of an email that is not given to the provider. */
export function notHandedOver(message: MessageHead, answer: EmailAnswer): HandOver {
  return { message, answer, deliveries: [], repeatsLost: false, mayBeOut: false, leave: () => undefined }
}

function deliveriesOf(
  { payload }: EmailJob,
  message: MessageHead,
  answer: EmailAnswer,
  repeatsLost: boolean,
  now: Date,
): NewJob<DeliveryJob>[] {
  if (answer.kind !== 'answered' || !answer.open?.length) return []
  const { lost = 0 } = payload
  const isRepeated = repeatsLost && mayRepeatLost(lost)
  const again = answer.open.filter(({ result }) => result !== 'lost' || isRepeated)
  return repeatByDomain(message, again, { repeatsLost, taken: maybeTaken(answer), lost }, now)
}

/**
 * Emails that a process has handed to a relay, or is handing to it, and has not recorded yet. If the process is killed,
 * these may be sent again. At the 50 ms that a relay and a commit take together, 64 are 1,280 emails a second.
 */
export const unrecordedMax = 64

/** How long an email waits for a place, because it holds up its request. */
const waitMs = 15_000
const waitingMax = 10_000
const waitingBytesMax = 256 * 1024 * 1024

const semaphoreOf = perApp(() => createSemaphore({ runningMax: unrecordedMax, waitingMax, waitingBytesMax, waitMs }))

/** Waits for one of the places. Returns the function that frees it, or null if none became free in time. */
export function enterUnrecorded(app: App, sizeBytes: number): Promise<(() => void) | null> {
  return semaphoreOf(app).enter(sizeBytes)
}
