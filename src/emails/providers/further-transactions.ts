import type { DispatchOutcome, OutboundMessage } from '../provider.ts'
import { openRecipient } from './one-by-one.ts'

/** `left`: recipients for whom the transaction had no room beside those that it took or may have taken. */
type Taken = { outcome: DispatchOutcome; left: readonly string[] }

/**
 * Hands a message over to all its recipients, in as many transactions as the server needs for their number (RFC 5321
 * 4.5.3.1.10). Each of them takes one recipient at least. If the answer to the first is lost, the others wait: only
 * those that it carried may have the message, and a report about one of them says nothing about the others.
 */
export async function sendToAll(
  message: OutboundMessage,
  send: (message: OutboundMessage) => Promise<Taken>,
): Promise<DispatchOutcome> {
  let { outcome, left } = await send(message)
  if (outcome.kind === 'unknown' && left.length > 0) return lostFor(message, outcome, left)
  while (outcome.kind === 'answered' && left.length > 0) {
    const to = [...left]
    const next = await send({ ...message, envelope: { ...message.envelope, to } })
    outcome = together(outcome, next.outcome, to)
    left = next.left
  }
  return outcome
}

const untried = {
  kind: 'unavailable' as const,
  message: 'The answer about other recipients was lost before it was tried.',
}

function lostFor(
  { envelope }: OutboundMessage,
  lost: Extract<DispatchOutcome, { kind: 'unknown' }>,
  left: readonly string[],
): DispatchOutcome {
  const open = envelope.to.map((recipient) => openRecipient(recipient, left.includes(recipient) ? untried : lost))
  return { kind: 'answered', accepted: [], facts: [], response: null, open }
}

/** Adds the outcome for `to`, which the transactions before had left open. */
function together(before: DispatchOutcome, next: DispatchOutcome, to: readonly string[]): DispatchOutcome {
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
