import type { App, Caller } from '../../context.ts'
import type { ByteBudget } from '../../platform/limits/byte-budget.ts'
import type { ServerTls } from '../tls.ts'
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

/** The state that is reset when TLS begins (RFC 3207, section 4.2). */
export const anew = { greeted: false, key: null, envelope: null }

/** The wait for the next command, in milliseconds. Before the login, `loginMs` bounds all commands together. */
export function commandWaitMs({ key, bounds, loginDeadline }: Session): number {
  if (key !== null) return bounds.commandMs
  return Math.max(0, Math.min(bounds.commandMs, loginDeadline - performance.now()))
}

/** Refuses a malformed command, and ends the session after too many. */
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
