import { type EmailAnswer, type OutboundMessage, unreachableFor } from '../provider.ts'
import { openRecipient } from './one-by-one.ts'

/** `left`: recipients for whom the transaction had no room beside those that it took or may have taken. */
type Taken = { answer: EmailAnswer; left: readonly string[] }

/**
 * Hands a message over to all its recipients, in as many transactions as the server needs for their number (RFC 5321
 * 4.5.3.1.10). Each of them takes at least one recipient, so the loop ends. If the answer to the first is lost, the
 * other recipients are left open: only those of that transaction may have the message.
 */
export async function sendToAll(
  message: OutboundMessage,
  send: (message: OutboundMessage) => Promise<Taken>,
): Promise<EmailAnswer> {
  let { answer, left } = await send(message)
  if (answer.kind === 'unknown' && left.length > 0) return lostFor(message, answer, left)
  while (answer.kind === 'answered' && left.length > 0) {
    const to = [...left]
    const next = await send({ ...message, envelope: { ...message.envelope, to } })
    answer = together(answer, next.answer, to)
    left = next.left
  }
  return answer
}

const notTried = unreachableFor('The answer about other recipients was lost before it was tried.')

function lostFor(
  { envelope }: OutboundMessage,
  lost: Extract<EmailAnswer, { kind: 'unknown' }>,
  left: readonly string[],
): EmailAnswer {
  const open = envelope.to.map((recipient) => openRecipient(recipient, left.includes(recipient) ? notTried : lost))
  return { kind: 'answered', accepted: [], facts: [], response: null, open }
}

/** Adds the answer for `to`, which the transactions before had left open. */
function together(before: EmailAnswer, next: EmailAnswer, to: readonly string[]): EmailAnswer {
  if (before.kind !== 'answered') return before
  const open = (before.open ?? []).filter(({ recipient }) => !to.includes(recipient))
  if (next.kind !== 'answered') return { ...before, open: [...open, ...to.map((one) => openRecipient(one, next))] }
  return {
    kind: 'answered',
    accepted: [...before.accepted, ...next.accepted],
    facts: [...before.facts, ...next.facts],
    response: next.response ?? before.response,
    open: [...open, ...(next.open ?? [])],
  }
}
