import { unreachable } from '../notification.ts'
import type { DispatchOutcome, OutboundMessage, RecipientOutcome } from '../provider.ts'

/**
 * The result of one transaction. `isCut` says that the connection failed, so that the next transaction would fail too.
 */
export type Handed = { outcome: DispatchOutcome; isCut: boolean }

/**
 * Transactions under way for one message. They share connections with other messages, which must not wait for all of
 * them.
 */
const sideBySideMax = 4

/**
 * Hands a message over in one transaction for each recipient, each with its own envelope sender. The first transaction
 * runs alone; if its connection fails, the others are not tried. The outcome is `unavailable` if nothing was sent and
 * any recipient may be tried again. Otherwise recipients without a final answer are `open`.
 */
export async function sendOneByOne(
  message: OutboundMessage,
  senders: readonly string[],
  send: (message: OutboundMessage) => Promise<Handed>,
): Promise<DispatchOutcome> {
  const { to } = message.envelope
  const outcomes = new Map<string, DispatchOutcome>()
  let cut: DispatchOutcome | null = null
  let next = 0
  async function sendNext() {
    const at = next++
    const { outcome, isCut } = await send({ ...message, envelope: { from: senders[at]!, to: [to[at]!] } })
    outcomes.set(to[at]!, outcome)
    if (isCut) cut = outcome
  }
  async function sendRest() {
    while (cut === null && next < to.length) await sendNext()
  }
  await sendNext()
  await Promise.all(Array.from({ length: sideBySideMax }, sendRest))
  return together(to, (recipient) => outcomes.get(recipient) ?? untried(cut))
}

/** Returns the outcome of a transaction that was not begun because an earlier one lost its connection. */
function untried(cut: DispatchOutcome | null): DispatchOutcome {
  return cut?.kind === 'unavailable'
    ? cut
    : { kind: 'unavailable', message: 'The connection was lost before it was tried.' }
}

function together(to: readonly string[], outcomeOf: (recipient: string) => DispatchOutcome): DispatchOutcome {
  const all = to.map((recipient) => ({ recipient, outcome: outcomeOf(recipient) }))
  const answered = all.flatMap(({ outcome }) => (outcome.kind === 'answered' ? outcome : []))
  const accepted = answered.flatMap((outcome) => outcome.accepted)
  const open = all.flatMap(({ recipient, outcome }) => openOutcome(recipient, outcome))
  const mayBeOut = accepted.length > 0 || open.some(({ result }) => result === 'lost')
  const unavailable = all.find(({ outcome }) => outcome.kind === 'unavailable')
  if (!mayBeOut && unavailable) return unavailable.outcome
  const facts = answered.flatMap((outcome) => outcome.facts)
  return { kind: 'answered', accepted, facts, response: answered.at(-1)?.response ?? null, open }
}

function openOutcome(recipient: string, outcome: DispatchOutcome): RecipientOutcome[] {
  return outcome.kind === 'answered' ? [] : [openRecipient(recipient, outcome)]
}

/** Returns the outcome for one recipient of a message whose hand-over failed. */
export function openRecipient(
  recipient: string,
  outcome: Exclude<DispatchOutcome, { kind: 'answered' }>,
): RecipientOutcome {
  const isLost = outcome.kind === 'unknown'
  const diagnosis = isLost ? { ...unreachable, diagnosticCode: outcome.message } : (outcome.diagnosis ?? unreachable)
  return { recipient, result: isLost ? 'lost' : 'deferred', blamed: false, diagnosis, peer: null }
}
