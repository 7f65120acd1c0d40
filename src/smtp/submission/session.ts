import type { App } from '../../context.ts'
import type { ByteBudget } from '../../platform/limits/byte-budget.ts'
import type { ServerTls } from '../tls.ts'
import { reply } from './reply.ts'
import type { Wire } from './wire.ts'

/** The state that all connections of a port share. */
export type Submission = {
  app: App
  tls: ServerTls
  /** The server's name. */
  name: string
  bounds: Bounds
  /** Bounds the memory of all messages being received. */
  budget: ByteBudget
  /** Counts a bad key. Returns true if its address has had too many. */
  countBadKey(address: string): boolean
  isClosing(): boolean
  /** Records that a connection has logged in. */
  noteLogin(wire: Wire): void
}

export type Bounds = {
  /** From the connection to the login. */
  loginMs: number
  /** For each command (RFC 5321 4.5.3.2.7). */
  commandMs: number
  /** For one whole message. */
  textMs: number
  tlsMs: number
  messageBytesMax: number
}

export type Envelope = { key: string; teamId: string; recipients: string[] }

export type Session = Submission & {
  wire: Wire
  greeted: boolean
  /**
   * The API key after login. Looked up again at each MAIL and each end of a text, so that a revocation takes effect at
   * once.
   */
  key: string | null
  envelope: Envelope | null
  badKeys: number
  /** The number of commands since the last message that did not contribute to one. */
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
