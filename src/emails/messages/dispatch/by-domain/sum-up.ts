import type { Delivery, DeliveryJob } from '../../../jobs.ts'
import type { MessageHead, RecipientOutcome } from '../../../provider.ts'
import type { EmailFact } from '../../facts/consequences.ts'
import {
  finalFacts,
  type GiveUpTime,
  givenUpRecipientFacts,
  openFacts,
  suppressedFact,
  unknownFact,
} from '../../facts/make.ts'
import { cutOff, delayAfter, giveUpMs, mayRepeatLost } from '../ending.ts'
import type { Attempt, Way } from './attempt.ts'
import type { Recorded } from './record.ts'
import { mayHave } from './split.ts'

/** The wait after the answer of a foreign host was lost, which may take long to handle the message that it has. */
const lostDelayMs = 10 * 60_000

/** RFC 5321 (4.5.4.1) asks clients to try for 4 to 5 days at least. */
const waitMaxMs = 5 * 24 * 3_600_000

type Tried = Attempt & {
  way: Way
  /** Recipients to whom nothing was sent, since they are suppressed. */
  suppressed: string[]
}

/** Turns an attempt into facts, and says when recipients without a final answer are tried again. */
export function sumUp(job: DeliveryJob, delivery: Delivery, message: MessageHead, tried: Tried, now: Date): Recorded {
  const left = leftOf(delivery, tried.outcomes, now)
  return {
    job,
    facts: factsOf(delivery, message, tried, left, now),
    again: againOf(delivery, tried, left, now),
  }
}

/** The recipients without a final answer. */
type Left = {
  /** Recipients for whom no server took the email yet. */
  deferred: RecipientOutcome[]
  /** Recipients for whom no server took it in time. */
  givenUp: RecipientOutcome[]
  /** Recipients whose answer was lost, so that they may have the email. */
  lost: RecipientOutcome[]
  /** Recipients who are tried again: deferred ones, and lost ones at the risk that they get the email twice. */
  open: RecipientOutcome[]
  /** How many attempts of the delivery lost their answer so far. */
  losses: number
}

function leftOf(delivery: Delivery, outcomes: RecipientOutcome[], now: Date): Left {
  const deferred = outcomes.filter(({ result }) => result === 'deferred')
  const lost = outcomes.filter(({ result }) => result === 'lost')
  const losses = delivery.lost + (lost.length > 0 ? 1 : 0)
  const isOver = timeIsOver(delivery, now) !== null
  const repeatsLost = delivery.repeatsLost !== false && mayRepeatLost(delivery.lost)
  const isOpen = ({ result }: RecipientOutcome) => result === 'deferred' || (result === 'lost' && repeatsLost)
  return {
    deferred: isOver ? [] : deferred,
    givenUp: isOver ? deferred : [],
    lost,
    open: isOver ? [] : outcomes.filter(isOpen),
    losses,
  }
}

/** The time after which a delivery is given up; null if it has not passed. */
export function timeIsOver(delivery: Delivery, now: Date): GiveUpTime | null {
  const { since } = delivery
  if (since !== null && now.getTime() - Date.parse(since) >= giveUpMs) return '24 hours'
  return hasWaitedTooLong(delivery) ? '5 days' : null
}

/** True once its waits for busy hosts are 5 days in all. Time in which no process ran is not counted. */
export function hasWaitedTooLong({ waitedMs = 0 }: Delivery): boolean {
  return waitedMs >= waitMaxMs
}

function factsOf(
  delivery: Delivery,
  message: MessageHead,
  { facts, outcomes, suppressed }: Tried,
  { deferred, givenUp, lost, losses }: Left,
  now: Date,
): EmailFact[] {
  const isUnsent = (recipient: string) => !mayHave(delivery, recipient)
  // Recipients who may have the email do not bounce: a suppression, for one, may follow from the email.
  const bounced = givenUp.filter(({ recipient }) => isUnsent(recipient))
  const blocked = suppressed.filter(isUnsent)
  const mayHaveArrived = bounced.length + blocked.length < givenUp.length + suppressed.length
  return [
    ...facts,
    ...finalFacts(message, outcomes, now),
    ...openFacts(message, [...deferred, ...lost], now, !delivery.taken),
    ...givenUpRecipientFacts(message, bounced, timeIsOver(delivery, now) ?? undefined, now),
    ...blocked.map((address) => suppressedFact(message, address)),
    // A lost answer has its event already.
    ...(mayHaveArrived && losses === 0 ? [unknownFact(message, cutOff)] : []),
  ]
}

function againOf(delivery: Delivery, { way, waitUntil }: Tried, { open, losses }: Left, now: Date): Recorded['again'] {
  const [first] = open
  if (!first) return null
  const failures = delivery.failures + (waitUntil ? 0 : 1)
  const isLostByHost = way.kind !== 'relay' && open.some(({ result }) => result === 'lost')
  const waitMs = Math.max(delayAfter(failures), isLostByHost ? lostDelayMs : 0)
  const recipients = open.map(({ recipient }) => recipient)
  const lostFor = open.flatMap(({ recipient, result }) => {
    return result === 'lost' || mayHave(delivery, recipient) ? recipient : []
  })
  const since = delivery.since ?? now.toISOString()
  return {
    runAt: waitUntil ?? new Date(now.getTime() + waitMs),
    payload: { ...delivery, recipients, failures, lost: losses, lostFor, since, told: true },
    error: first.diagnosis.diagnosticCode.slice(0, 500),
  }
}
