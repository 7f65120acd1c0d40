import type { NewJob } from '../../../platform/jobs/enqueue.ts'
import type { DeliveryJob, EmailJob } from '../../jobs.ts'
import type { EmailAnswer, MessageHead, Unavailable } from '../../provider.ts'
import type { EmailFact } from '../facts/consequences.ts'
import { delayedFact, givenUpMessageFacts, openFacts, sentFact, unknownFact } from '../facts/make.ts'
import type { EmailStatus } from '../statuses.ts'

const minuteMs = 60_000

/** Delays after failures. The last one repeats until 24 hours have passed (docs/decisions/hand-over.md). */
export const backoffMs = [5000, 30_000, 2 * minuteMs, 10 * minuteMs, 60 * minuteMs]
export const giveUpMs = 24 * 60 * minuteMs
/** Repeats after lost answers, because the server may have taken the message each time. */
const lostRepeatsMax = 2

/** The result of an attempt: what is recorded, and when the email is tried again. */
export type Ending = {
  facts: EmailFact[]
  /** The jobs that deliver it. Until they are done the email is still being sent. */
  deliveries: NewJob<DeliveryJob>[]
  /** When it is tried again, with the same Message-ID; null if it is not. */
  again: { runAt: Date; payload: EmailJob['payload']; error: string } | null
  /**
   * False while the email may be with a recipient without our knowing. It can then be neither cancelled nor
   * rescheduled.
   */
  isSettled: boolean
}

export type Attempted = {
  message: MessageHead
  answer: EmailAnswer
  deliveries: NewJob<DeliveryJob>[]
  /** True if the email is handed over again after a lost answer. */
  repeatsLost: boolean
}

/**
 * Decides the result of an attempt. An email counts as sent once its answer was lost, since it may have arrived: what
 * follows adds no second `sent`, and no delay. `docs/decisions/hand-over.md` has the table.
 */
export function endingOf(job: EmailJob, attempted: Attempted, now: Date): Ending {
  const { message, answer, deliveries } = attempted
  if (answer.kind === 'answered') {
    const facts = factsOfAnswer(message, answer).filter(({ type }) => type !== 'sent' || !answerWasLost(job))
    return { facts, deliveries, again: null, isSettled: deliveries.length === 0 }
  }
  return answer.kind === 'unknown'
    ? endingOfLost(job, attempted, answer, now)
    : endingOfUnavailable(job, message, answer, now)
}

/**
 * Returns the status that a request is answered with after its first attempt. If the email is tried again and is not
 * settled, its answer was lost, and it counts as sent.
 */
export function statusOf({ again, isSettled }: Ending, answer: EmailAnswer): EmailStatus {
  if (again && isSettled) return 'delayed'
  return answer.kind === 'answered' && wasRefused(answer) ? 'bounced' : 'sent'
}

/**
 * True if an answer was lost before. `docs/decisions/hand-over.md`, "Which fields say that an email may be out", lists
 * all that say so.
 */
export function answerWasLost({ payload }: EmailJob): boolean {
  return (payload.lost ?? 0) > 0
}

/** True if a process ended while it had the email, and may have handed it over without a record. */
export function wasCut(job: EmailJob): boolean {
  return job.wasTakenUp || hasCutMark(job)
}

/** True if that was before the last attempt. The job's own mark ends with an attempt, so the payload keeps it. */
export function hasCutMark({ payload }: EmailJob): boolean {
  return payload.cut === true
}

/**
 * Tells whether an email is handed over again if the answer is lost. `before`: the answers lost before this attempt.
 */
export function mayRepeatLost(before: number): boolean {
  return before < lostRepeatsMax
}

export const cutOff = 'The server ended while it handed the email over, so it may have arrived.'

function endingOfLost(
  job: EmailJob,
  { message, repeatsLost }: Attempted,
  answer: Extract<EmailAnswer, { kind: 'unknown' }>,
  now: Date,
): Ending {
  const { lost: before = 0 } = job.payload
  const lost = before + 1
  const unknown = unknownFact(message, answer.message)
  const facts = answerWasLost(job) ? [unknown] : [sentFact(message, answer), unknown]
  const isRepeated = repeatsLost && mayRepeatLost(before)
  if (!isRepeated) return { facts, deliveries: [], again: null, isSettled: true }
  const again = againAfter(job, { failures: job.payload.failures ?? 0, lost }, lost, now)
  return { facts, deliveries: [], again: { ...again, error: answer.message }, isSettled: false }
}

function endingOfUnavailable(job: EmailJob, message: MessageHead, answer: Unavailable, now: Date): Ending {
  const { failures: before = 0, lost, firstFailedAt } = job.payload
  if (firstFailedAt && now.getTime() - Date.parse(firstFailedAt) >= giveUpMs) {
    const givenUp = wasCut(job)
      ? [sentFact(message, null), unknownFact(message, cutOff)]
      : givenUpMessageFacts(message, answer)
    const facts = answerWasLost(job) ? [] : givenUp
    return { facts, deliveries: [], again: null, isSettled: true }
  }
  const failures = before + 1
  const again = { ...againAfter(job, { failures, lost }, failures, now), error: answer.message }
  const facts = answerWasLost(job) ? [] : [delayedFact(message, answer)]
  return { facts, deliveries: [], again, isSettled: !answerWasLost(job) }
}

/** `alike`: the attempts that ended as this one did. They choose the delay. */
function againAfter(
  job: EmailJob,
  { failures, lost }: Pick<EmailJob['payload'], 'failures' | 'lost'>,
  alike: number,
  now: Date,
) {
  const { firstFailedAt = now.toISOString() } = job.payload
  const cut = wasCut(job) && { cut: true as const }
  const runAt = new Date(now.getTime() + delayAfter(alike))
  return { runAt, payload: { failures, firstFailedAt, counted: true as const, ...(lost && { lost }), ...cut } }
}

export function delayAfter(failures: number): number {
  return backoffMs[Math.min(failures, backoffMs.length) - 1]!
}

/** Returns the facts of an answer. An email that all recipients refused permanently was never sent. */
function factsOfAnswer(message: MessageHead, answer: Extract<EmailAnswer, { kind: 'answered' }>): EmailFact[] {
  if (wasRefused(answer)) return answer.facts
  const moves = !maybeTaken(answer)
  return [sentFact(message, answer), ...answer.facts, ...openFacts(message, answer.open ?? [], message.at, moves)]
}

/** Tells whether any recipient has the email, or may have it since the answer was lost. */
export function maybeTaken({ accepted, open = [] }: Extract<EmailAnswer, { kind: 'answered' }>): boolean {
  return accepted.length > 0 || open.some(({ result }) => result === 'lost')
}

/** True if no recipient has the email or may still get it. */
function wasRefused({ accepted, open = [] }: Extract<EmailAnswer, { kind: 'answered' }>): boolean {
  return accepted.length === 0 && open.length === 0
}
