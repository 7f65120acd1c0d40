import { unreachable } from '../notification.ts'
import { type EmailAnswer, type OutboundMessage, type RecipientOutcome, unreachableFor } from '../provider.ts'

/**
 * The result of one transaction. `isCut` says that the connection failed, so that the next transaction would fail too.
 */
export type TransactionAnswer = { answer: EmailAnswer; isCut: boolean }

/**
 * Transactions under way for one message. They share connections with other messages, which must not wait for all of
 * them.
 */
const sideBySideMax = 4

/**
 * Hands a message over in one transaction for each recipient, each with its own envelope sender. The first transaction
 * runs alone; if its connection fails, the others are not tried. The answer is `unavailable` if nothing was sent and
 * any recipient may be tried again. Otherwise recipients without a final answer are `open`.
 */
export async function sendOneByOne(
  message: OutboundMessage,
  senders: readonly string[],
  send: (message: OutboundMessage) => Promise<TransactionAnswer>,
): Promise<EmailAnswer> {
  const { to } = message.envelope
  const answers = new Map<string, EmailAnswer>()
  let cut: EmailAnswer | null = null
  let next = 0
  async function sendNext() {
    const at = next++
    const { answer, isCut } = await send({ ...message, envelope: { from: senders[at]!, to: [to[at]!] } })
    answers.set(to[at]!, answer)
    if (isCut) cut = answer
  }
  async function sendRest() {
    while (cut === null && next < to.length) await sendNext()
  }
  await sendNext()
  await Promise.all(Array.from({ length: sideBySideMax }, sendRest))
  return together(to, (recipient) => answers.get(recipient) ?? notTried(cut))
}

/** Returns the answer for a transaction that was not begun because an earlier one lost its connection. */
function notTried(cut: EmailAnswer | null): EmailAnswer {
  return cut?.kind === 'unavailable' ? cut : unreachableFor('The connection was lost before it was tried.')
}

function together(to: readonly string[], answerOf: (recipient: string) => EmailAnswer): EmailAnswer {
  const all = to.map((recipient) => ({ recipient, answer: answerOf(recipient) }))
  const answered = all.flatMap(({ answer }) => (answer.kind === 'answered' ? answer : []))
  const accepted = answered.flatMap((answer) => answer.accepted)
  const open = all.flatMap(({ recipient, answer }) => openRecipients(recipient, answer))
  const isMaybeTaken = accepted.length > 0 || open.some(({ result }) => result === 'lost')
  const unavailable = all.find(({ answer }) => answer.kind === 'unavailable')
  if (!isMaybeTaken && unavailable) return unavailable.answer
  const facts = answered.flatMap((answer) => answer.facts)
  return { kind: 'answered', accepted, facts, response: answered.at(-1)?.response ?? null, open }
}

function openRecipients(recipient: string, answer: EmailAnswer): RecipientOutcome[] {
  return answer.kind === 'answered' ? [] : [openRecipient(recipient, answer)]
}

/** Returns the outcome for one recipient of a message whose hand-over failed. */
export function openRecipient(recipient: string, answer: Exclude<EmailAnswer, { kind: 'answered' }>): RecipientOutcome {
  const isLost = answer.kind === 'unknown'
  const diagnosis = isLost ? { ...unreachable, diagnosticCode: answer.message } : answer.diagnosis
  return { recipient, result: isLost ? 'lost' : 'deferred', blamed: false, diagnosis, peer: null }
}
