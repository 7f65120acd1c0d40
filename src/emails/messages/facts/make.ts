import {
  bounceNotification,
  type Diagnosis,
  delayNotification,
  delaysNotification,
  deliveryNotification,
  mailOf,
  type NotifiedMessage,
} from '../../notification.ts'
import type { EmailAnswer, MessageHead, RecipientOutcome } from '../../provider.ts'
import type { EmailFact } from './consequences.ts'

/** Says that an email was handed over. The answer is null if it is not known and the provider reports on the email. */
export function sentFact(message: NotifiedMessage, answer: EmailAnswer | null): EmailFact {
  const response = answer?.kind === 'answered' && answer.response !== null && { smtpResponse: answer.response }
  return {
    type: 'sent',
    recipient: null,
    data: { notificationType: 'Send', mail: mailOf(message), ...response },
  }
}

/** Says that the answer to a hand-over was lost, so the message may have arrived. */
export function unknownFact(message: NotifiedMessage, reason: string): EmailFact {
  return { type: 'outcome_unknown', recipient: null, data: { message: reason, mail: mailOf(message) } }
}

/** Says that the provider could not take a message for now, with the same reason for each recipient. */
export function delayedFact(message: NotifiedMessage, { diagnosis }: { diagnosis: Diagnosis }): EmailFact {
  const { to } = message.envelope
  const delayed = to.map((recipient) => ({ recipient, diagnosis }))
  return { type: 'delivery_delayed', recipient: to[0] ?? '', data: delaysNotification(message, delayed, message.at) }
}

/** Says that an email that had bounced waits again, because an operator repeats its job. */
export function revivedFact(message: NotifiedMessage): EmailFact {
  const [recipient = ''] = message.envelope.to
  const diagnosis = { status: '4.3.0', diagnosticCode: 'The operator lets it be sent again.' }
  return { type: 'delivery_delayed', recipient, data: delayNotification(message, recipient, diagnosis, message.at) }
}

/** Says that a recipient was suppressed after the email was accepted, in the form that Amazon SES uses. */
export function suppressedFact(message: NotifiedMessage, recipient: string): EmailFact {
  const diagnosis = { permanent: true, status: '5.1.1', diagnosticCode: 'The address is on the suppression list.' }
  return unsentFact(message, recipient, diagnosis)
}

/** Says for each recipient why the message was not sent. The addresses are not at fault. */
export function discardedFacts(message: NotifiedMessage, reason: string): EmailFact[] {
  const diagnosis = { permanent: true, blamed: false, status: '5.3.0', diagnosticCode: `Given up: ${reason}` }
  return message.envelope.to.map((recipient) => unsentFact(message, recipient, diagnosis))
}

/** The times of `dispatch/ending.ts`, and of waits in `dispatch/by-domain/sum-up.ts`. */
export type GiveUpTime = '24 hours' | '5 days'

/** Returns permanent bounces of all recipients of a message that the provider never took. */
export function givenUpMessageFacts(message: NotifiedMessage, { diagnosis }: { diagnosis: Diagnosis }): EmailFact[] {
  const final = { ...givenUpDiagnosis(diagnosis), permanent: true, blamed: false }
  return message.envelope.to.map((recipient) => unsentFact(message, recipient, final))
}

/** A policy, such as required encryption, stays the reason. Any other status becomes a time-out. */
function givenUpDiagnosis({ status, diagnosticCode }: Diagnosis, time: GiveUpTime = '24 hours'): Diagnosis {
  const final = status.startsWith('4.7.') ? `5${status.slice(1)}` : '4.4.7'
  return { status: final, diagnosticCode: `Given up after ${time}: ${diagnosticCode}` }
}

function unsentFact(
  message: NotifiedMessage,
  recipient: string,
  diagnosis: Parameters<typeof bounceNotification>[2],
): EmailFact {
  const data = bounceNotification(message, recipient, diagnosis, message.at)
  return { type: 'bounced', recipient, permanent: true, suppress: false, data }
}

/** Returns the final facts: deliveries and permanent refusals. */
export function finalFacts(message: MessageHead, outcomes: RecipientOutcome[], at: Date): EmailFact[] {
  const delivered = outcomes.filter(({ result }) => result === 'delivered')
  const refused = outcomes.filter(({ result }) => result === 'refused')
  return [
    ...deliveryFacts(message, delivered, at),
    ...refused.map((outcome) => bounce(message, outcome, outcome.diagnosis, outcome.blamed, at)),
  ]
}

/** Returns one fact for all recipients that a server accepted with one answer. */
function deliveryFacts(message: MessageHead, delivered: RecipientOutcome[], at: Date): EmailFact[] {
  const byAnswer = Map.groupBy(delivered, ({ peer, diagnosis }) => `${peer?.remoteMtaIp} ${diagnosis.diagnosticCode}`)
  return [...byAnswer.values()].map((together): EmailFact => {
    const { recipient, diagnosis, peer } = together[0]!
    const response = diagnosis.diagnosticCode.replace(/^smtp; /, '')
    const recipients = together.map((outcome) => outcome.recipient)
    return { type: 'delivered', recipient, data: deliveryNotification(message, recipients, response, at, peer) }
  })
}

/**
 * Says why recipients have no final answer: one fact for the attempt, and one more if an answer was lost. `moves` is
 * false if other recipients have the email.
 */
export function openFacts(message: MessageHead, open: RecipientOutcome[], at: Date, moves: boolean): EmailFact[] {
  const lost = open.find(({ result }) => result === 'lost')
  const deferred = open.filter(({ result }) => result === 'deferred')
  const facts: EmailFact[] = []
  if (lost) facts.push(unknownFact(message, lost.diagnosis.diagnosticCode))
  const [first] = deferred
  if (first) {
    const data = delaysNotification(message, deferred, at, first.peer)
    facts.push({ type: 'delivery_delayed', recipient: first.recipient, moves, data })
  }
  return facts
}

/** Returns permanent bounces of recipients whose hosts gave no final answer. The addresses are not at fault. */
export function givenUpRecipientFacts(
  message: MessageHead,
  open: RecipientOutcome[],
  time: GiveUpTime | undefined,
  at: Date,
): EmailFact[] {
  return open.map((outcome) => bounce(message, outcome, givenUpDiagnosis(outcome.diagnosis, time), false, at))
}

function bounce(
  message: MessageHead,
  { recipient, peer }: RecipientOutcome,
  diagnosis: RecipientOutcome['diagnosis'],
  suppress: boolean,
  at: Date,
): EmailFact {
  const data = bounceNotification(message, recipient, { ...diagnosis, permanent: true, blamed: suppress }, at, peer)
  return { type: 'bounced', recipient, permanent: true, suppress, data }
}
