import { dotStuff, terminatorOf } from './dot-stuff.ts'
import { type Envelope, envelopeCommands } from './envelope.ts'
import type { Extensions } from './extensions.ts'
import type { Failure, Phase } from './failure.ts'
import { formatReply, isPositive, isSessionError, type Reply } from './reply.ts'
import type { Timeouts } from './timeouts.ts'
import type { Loss, Wire } from './wire.ts'

export type TransactionResult = {
  /** Null if there was no reply; `failure` then has the reason. */
  mail: Reply | null
  /** In the envelope's order. `reply` is null if there was none, or if MAIL was refused. */
  recipients: { address: string; reply: Reply | null }[]
  /** The reply to the final dot, or to DATA if that was refused. */
  data: Reply | null
  /**
   * Set if the connection failed before the reply. Only in phase `final` is it unknown whether the server has the
   * message.
   */
  failure: Failure | null
}

/** A greeted connection. `isUsed`: it had a transaction, whose envelope the server may still keep. */
export type Session = { wire: Wire; extensions: Extensions; timeouts: Timeouts; isUsed: boolean }

/**
 * A text up to this size is sent with its terminator. A longer text is sent before it, so that a loss has phase `text`.
 */
const sharedWriteBytesMax = 65_536

/**
 * Sends one message. With PIPELINING (RFC 2920), MAIL, all RCPTs and DATA share one write, and `hasRoom` is called when
 * the next transaction may begin in the same write as this one's text. If `isGivenUp` once the server waits for the
 * text, the connection is closed instead. Never throws.
 *
 * `docs/decisions/hand-over.md` has the table of the replies. The connection is closed after each that leaves in doubt
 * which envelope the server has: its text would reach others, or an empty message would.
 */
export async function transact(
  session: Session,
  envelope: Envelope,
  raw: Buffer,
  { hasRoom, isGivenUp }: { hasRoom(): void; isGivenUp(): boolean },
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
  if (opened && isGivenUp()) session.wire.destroy(givenUpMessage)
  if (opened && result.failure === null) await sendText(session, raw, result, hasRoom)
  endAfterSessionError(session, result)
  return result
}

const givenUpMessage = 'the sender waited no longer'

/** Closes the connection if the server did not know where it was in the session. */
function endAfterSessionError({ wire }: Session, { mail, recipients, data }: TransactionResult) {
  const error = [mail, data, ...recipients.map(({ reply }) => reply)].find((reply) => reply && isSessionError(reply))
  if (error) wire.destroy(`the server does not follow the session: ${formatReply(error)}`)
}

/** The commands of one transaction, whose replies are read one after the other. */
type Talk = {
  /** Reads the next reply. Null if the connection is lost, or was closed because of the reply. */
  next(phase: Phase, result: TransactionResult): Promise<Reply | null>
  /** Reads the next reply, which may refuse the command because an earlier one was refused. */
  skip(): Promise<Reply | null>
  beginsWithReset: boolean
  inFlight: boolean
}

/**
 * Asks for the replies to the commands of a transaction, and with PIPELINING sends them all. On a used connection RSET
 * comes first: some servers keep the envelope of a refused text.
 */
function begin(session: Session, envelope: string[]): Talk {
  const { wire, timeouts, extensions, isUsed: beginsWithReset } = session
  const commands = [...(beginsWithReset ? ['RSET\r\n'] : []), ...envelope, 'DATA\r\n']
  session.isUsed = true
  const inFlight = extensions.pipelining
  const replies = inFlight ? commands.map(() => wire.ask(timeouts.commandMs)) : []
  if (inFlight) wire.write(commands.join(''))
  let at = 0
  const read = async (phase: Phase, result: TransactionResult) => {
    const index = at++
    if (!inFlight) wire.write(commands[index]!)
    const reply = await (inFlight ? replies[index]! : wire.ask(timeouts.commandMs))
    if (!reply) result.failure = { phase, message: '', reply: null, ...lossOf(wire) }
    else if (reply.code === 421) giveUp(wire, result, phase, `the server is closing: ${formatReply(reply)}`, reply)
    else if (reply.code < 400 && !isPositive(reply) && phase !== 'data') nonsense(wire, result, phase, reply)
    return result.failure ? null : reply
  }
  return {
    async next(phase, result) {
      const reply = await read(phase, result)
      if (!reply || !isSessionError(reply)) return reply
      // On a new connection, and to a command sent alone, it is the server's answer. Otherwise it may not know what it
      // answers.
      if (!inFlight && !beginsWithReset) return reply
      giveUp(wire, result, phase, `the server does not follow the session: ${formatReply(reply)}`, reply)
      return null
    },
    skip: () => read('data', { mail: null, recipients: [], data: null, failure: null }),
    beginsWithReset,
    inFlight,
  }
}

function giveUp(wire: Wire, result: TransactionResult, phase: Phase, message: string, reply: Reply) {
  wire.destroy(message)
  result.failure = { phase, message, reply }
}

/** Closes the connection after a reply that does not fit its command: later replies cannot be assigned. */
function nonsense(wire: Wire, result: TransactionResult, phase: Phase, reply: Reply) {
  giveUp(wire, result, phase, `the server gave an answer that does not fit: ${formatReply(reply)}`, reply)
}

/** Sends MAIL, RCPT and DATA. Returns true if the server waits for the text. */
async function openEnvelope(
  session: Session,
  talk: Talk,
  result: TransactionResult,
  asked: { reply: Reply | null }[],
): Promise<boolean> {
  if (talk.beginsWithReset && !(await discardOld(session, talk, result))) return false
  const mail = await talk.next('mail', result)
  if (!mail) return false
  result.mail = mail
  if (!isPositive(mail)) {
    if (talk.inFlight) await withoutEnvelope(session, talk, asked.length)
    return false
  }
  for (const recipient of asked) {
    recipient.reply = await talk.next('recipient', result)
    if (!recipient.reply) return false
  }
  if (!asked.some((recipient) => isPositive(recipient.reply!))) {
    if (talk.inFlight) await withoutRecipients(session, await talk.skip())
    return false
  }
  const data = await talk.next('data', result)
  if (!data) return false
  if (data.code === 354) return true
  if (data.code < 400) nonsense(session.wire, result, 'data', data)
  else result.data = data
  return false
}

/** Reads the reply to RSET. A server that refuses it may still have the envelope before. */
async function discardOld({ wire }: Session, talk: Talk, result: TransactionResult): Promise<boolean> {
  const reply = await talk.next('mail', result)
  if (reply && !isPositive(reply)) {
    giveUp(wire, result, 'mail', `the server refused RSET: ${formatReply(reply)}`, reply)
  }
  return reply !== null && isPositive(reply)
}

/**
 * Reads the replies to RCPT and DATA after MAIL was refused. Closes the connection if the server accepts any of them:
 * it has an envelope that is not ours.
 */
async function withoutEnvelope({ wire }: Session, talk: Talk, recipients: number) {
  for (let left = recipients + 1; left > 0; left--) {
    const reply = await talk.skip()
    if (!reply) return
    if (reply.code < 400) return wire.destroy(`the server refused MAIL and went on: ${formatReply(reply)}`)
  }
}

/** Sends only a dot to a server that asks for the text although it accepted no recipient (RFC 2920 3.1). */
async function withoutRecipients({ wire, timeouts }: Session, data: Reply | null) {
  if (!data || data.code >= 400) return
  if (data.code !== 354) return wire.destroy(`the server gave an answer that does not fit: ${formatReply(data)}`)
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
