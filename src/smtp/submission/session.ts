import type { App, Caller } from '../../context.ts'
import type { ByteBudget } from '../../platform/limits/byte-budget.ts'
import type { ServerTls } from '../tls.ts'
import { answerCommand } from './commands.ts'
import { reply } from './reply.ts'
import type { Wire } from './wire.ts'

/** The parts that all connections of a port share. */
export type Submission = {
  app: App
  tls: ServerTls
  /** How the server calls itself. */
  name: string
  bounds: Bounds
  /** Bounds the memory of all messages that are being received. */
  budget: ByteBudget
  /** Notes a bad key; true where its address has had too many. */
  countBadKey(address: string): boolean
  isClosing(): boolean
  /** The connection is one of a customer's from now on. */
  noteLogin(wire: Wire): void
}

export type Bounds = {
  /** Until a client is logged in, from the moment it connects. */
  loginMs: number
  /** RFC 5321 4.5.3.2.7: for each command. */
  commandMs: number
  /** For one whole message. */
  textMs: number
  tlsMs: number
  messageBytesMax: number
}

export type Envelope = { caller: Caller; recipients: string[]; isUtf8: boolean }

export type Session = Submission & {
  wire: Wire
  greeted: boolean
  /** The API key, once it was found good; looked up again at each MAIL, so that a revocation is felt at once. */
  key: string | null
  envelope: Envelope | null
  badKeys: number
  /** Commands that brought no message nearer. */
  wasted: number
  loginDeadline: number
  over: boolean
}

const wastedMax = 50

/** Speaks with one client until one of the two ends it. */
export async function converse(submission: Submission, wire: Wire, isImplicit: boolean): Promise<void> {
  const { bounds, name, tls } = submission
  const session: Session = { ...submission, wire, ...anew, badKeys: 0, wasted: 0, loginDeadline: 0, over: false }
  session.loginDeadline = performance.now() + bounds.loginMs
  if (isImplicit && !(await wire.encrypt(tls(), bounds.tlsMs))) return
  wire.reply(`220 ${name} ESMTP Posthorn\r\n`)
  while (!session.over) {
    if (submission.isClosing() && !session.envelope) {
      sayGoodbye(session, reply('421 4.3.2', 'This server is shutting down. Connect again.'))
      break
    }
    const line = await wire.line(commandWaitMs(session))
    if (!line) return
    if (line.kind === 'nudged') continue
    if (line.kind === 'tooLong') sayGoodbye(session, reply('500 5.5.6', 'The line is too long.'))
    else if (line.kind === 'broken')
      refuseSyntax(session, reply('500 5.5.2', 'Send lines of text that end with CR LF.'))
    else await answerCommand(session, line.text)
  }
  wire.end()
}

/** The state that is reset when TLS begins, RFC 3207 4.2. */
export const anew = { greeted: false, key: null, envelope: null }

/** The time a client has to log in. */
export function commandWaitMs({ key, bounds, loginDeadline }: Session): number {
  if (key !== null) return bounds.commandMs
  return Math.max(0, Math.min(bounds.commandMs, loginDeadline - performance.now()))
}

/** Refuses a command that cannot be meant, and sends away who goes on with them. */
export function refuseSyntax(session: Session, refusal: string): void {
  session.wire.reply(refusal)
  noteWaste(session)
}

export function noteWaste(session: Session): void {
  if (++session.wasted > wastedMax) sayGoodbye(session, reply('421 4.7.0', 'Too many commands without a message.'))
}

export function sayGoodbye(session: Session, text: string): void {
  session.wire.reply(text)
  session.over = true
}
