import { dotStuff, terminatorOf } from './dot-stuff.ts'
import { type Envelope, envelopeCommands } from './envelope.ts'
import type { Extensions } from './extensions.ts'
import type { Failure, Phase } from './failure.ts'
import { formatReply, isPositive, type Reply } from './reply.ts'
import type { Timeouts } from './timeouts.ts'
import type { Loss, Wire } from './wire.ts'

export type TransactionResult = {
  /** Null if there was no reply; `failure` then has the reason. */
  mail: Reply | null
  /** In the envelope's order. `reply` is null if there was none, or if MAIL was refused. */
  recipients: { address: string; reply: Reply | null }[]
  /** The reply to the final dot, or to DATA if that was refused. */
  data: Reply | null
  /** Set if the connection failed before the reply. Only in phase `final` is it unknown whether the server has the message. */
  failure: Failure | null
}

/** A greeted connection. `needsReset`: the last transaction was incomplete, so the server still has its envelope. */
export type Session = { wire: Wire; extensions: Extensions; timeouts: Timeouts; needsReset: boolean }

/** A text up to this size is sent with its terminator. A longer text is sent before it, so that a loss has phase `text`. */
const sharedWriteBytesMax = 65_536

/**
 * Sends one message. With PIPELINING (RFC 2920), MAIL, all RCPTs and DATA share one write, and `hasRoom` is called when
 * the next transaction may begin in the same write as this one's text. Never throws.
 */
export async function transact(
  session: Session,
  envelope: Envelope,
  raw: Buffer,
  hasRoom: () => void,
): Promise<TransactionResult> {
  const recipients = envelope.to.map((address) => ({ address, reply: null as Reply | null }))
  const result: TransactionResult = { mail: null, recipients, data: null, failure: null }
  const commands = envelopeCommands(envelope, raw, session.extensions)
  if (typeof commands.mail !== 'string') return { ...result, mail: commands.mail }
  const asked = recipients.filter((recipient, index) => {
    const command = commands.recipients[index]
    if (typeof command === 'object') recipient.reply = command
    return typeof command === 'string'
  })
  if (asked.length === 0) return result
  const talk = begin(session, [commands.mail, ...commands.recipients.filter((command) => typeof command === 'string')])
  const opened = await openEnvelope(session, talk, result, asked)
  if (opened && result.failure === null) await sendText(session, raw, result, hasRoom)
  return result
}

/** Reads the reply to the next command. Null if the connection is lost, or was closed because of the reply. */
type Talk = (phase: Phase, result: TransactionResult) => Promise<Reply | null>

function begin(session: Session, envelope: string[]): { next: Talk; hasReset: boolean; inFlight: boolean } {
  const { wire, timeouts, extensions, needsReset } = session
  const commands = [...(needsReset ? ['RSET\r\n'] : []), ...envelope, 'DATA\r\n']
  session.needsReset = true
  const inFlight = extensions.pipelining
  const replies = inFlight ? commands.map(() => wire.ask(timeouts.commandMs)) : []
  if (inFlight) wire.write(commands.join(''))
  let at = 0
  const next: Talk = async (phase, result) => {
    const index = at++
    if (!inFlight) wire.write(commands[index]!)
    const reply = await (inFlight ? replies[index]! : wire.ask(timeouts.commandMs))
    if (!reply) result.failure = { phase, message: '', reply: null, ...lossOf(wire) }
    else if (reply.code === 421) giveUp(wire, result, phase, `the server is closing: ${formatReply(reply)}`, reply)
    else if (phase !== 'data' && reply.code < 400 && !isPositive(reply)) return nonsense(wire, result, phase, reply)
    return result.failure ? null : reply
  }
  return { next, hasReset: needsReset, inFlight }
}

function giveUp(wire: Wire, result: TransactionResult, phase: Phase, message: string, reply: Reply) {
  wire.destroy(message)
  result.failure = { phase, message, reply }
}

/** Closes the connection after a reply that does not fit its command: later replies cannot be assigned. */
function nonsense(wire: Wire, result: TransactionResult, phase: Phase, reply: Reply): null {
  giveUp(wire, result, phase, `the server gave an answer that does not fit: ${formatReply(reply)}`, reply)
  return null
}

/** Sends MAIL, RCPT and DATA. Returns true if the server waits for the text. */
async function openEnvelope(
  session: Session,
  { next, hasReset, inFlight }: ReturnType<typeof begin>,
  result: TransactionResult,
  asked: { reply: Reply | null }[],
): Promise<boolean> {
  if (hasReset && !(await next('mail', result))) return false
  const mail = await next('mail', result)
  if (!mail) return false
  result.mail = mail
  if (isPositive(mail)) {
    for (const recipient of asked) {
      recipient.reply = await next('recipient', result)
      if (!recipient.reply) return false
    }
  } else if (inFlight) {
    for (const _ of asked) if (!(await next('recipient', { ...result }))) return false
  }
  const accepted = isPositive(mail) && asked.some((recipient) => isPositive(recipient.reply!))
  if (!accepted) {
    if (inFlight) await refuseText(session, await next('data', { ...result }))
    return false
  }
  const data = await next('data', result)
  if (!data) return false
  if (data.code === 354) return true
  if (data.code < 400) nonsense(session.wire, result, 'data', data)
  else result.data = data
  return false
}

/** Sends only a dot to a server that asks for the text although it accepted no recipient (RFC 2920 3.1). */
async function refuseText({ wire, timeouts }: Session, data: Reply | null) {
  if (data?.code !== 354) return
  wire.write('.\r\n')
  await wire.ask(timeouts.dataFinalMs)
}

async function sendText(session: Session, raw: Buffer, result: TransactionResult, hasRoom: () => void) {
  const { wire, timeouts } = session
  const text = dotStuff(raw)
  const shares = text.length <= sharedWriteBytesMax
  const transferMs = timeouts.commandMs + timeouts.transferPerMiBMs * (text.length / 1_048_576)
  const inTime = wire.lost === null && (shares || (await wire.flush(text, transferMs)))
  if (!inTime || lossOf(wire)) return beforeTheDot(wire, result)
  let final: Promise<Reply | null> | undefined
  wire.together(() => {
    if (shares) wire.write(text)
    wire.write(terminatorOf(raw))
    final = wire.ask(timeouts.dataFinalMs)
    session.needsReset = false
    if (session.extensions.pipelining) hasRoom()
  })
  const reply = (await final) ?? null
  if (!reply) result.failure = { phase: 'final', message: '', reply: null, ...lossOf(wire) }
  else if (reply.code < 400 && !isPositive(reply)) nonsense(wire, result, 'final', reply)
  else result.data = reply
  if (reply?.code === 421) wire.destroy(`the server is closing: ${formatReply(reply)}`)
}

/** Reads the loss again after a wait, because the connection may have been lost meanwhile. */
function lossOf(wire: Wire): Loss | null {
  return wire.lost
}

/** Records a loss during the text. A refusal in the middle of the text is the reply; any other loss is a failure. */
function beforeTheDot(wire: Wire, result: TransactionResult) {
  const loss = lossOf(wire)
  if (loss?.reply && loss.reply.code >= 400 && loss.reply.code !== 421) result.data = loss.reply
  else result.failure = { phase: 'text', message: '', reply: null, ...loss }
}
