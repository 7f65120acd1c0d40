import type { Reply } from './reply.ts'

/**
 * How far a message had got when its connection failed. Everything before `final` means: not handed over, may be tried
 * again. `final`: the terminating dot was begun to be written, so nobody but the server knows.
 */
export type Phase =
  | 'queue'
  | 'connect'
  | 'greeting'
  | 'hello'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'recipient'
  | 'data'
  | 'text'
  | 'final'

/** `reply` is the server's, where one was the reason: a 421, a refused login, a 554 instead of a greeting. */
export type Failure = { phase: Phase; message: string; reply: Reply | null }

/** What `connect` throws. */
export class SmtpFailure extends Error implements Failure {
  readonly phase: Phase
  readonly reply: Reply | null
  constructor(phase: Phase, message: string, reply: Reply | null = null) {
    super(message)
    this.phase = phase
    this.reply = reply
  }
}

/** What a server did that failed there, as the end of a sentence. */
export const failedAt: Record<Failure['phase'], string> = {
  queue: 'could not be given the message in time',
  connect: 'could not be reached',
  greeting: 'did not greet',
  hello: 'did not answer EHLO as it should',
  tls: 'could not be spoken to encrypted',
  auth: 'let nobody log in',
  mail: 'failed at MAIL',
  recipient: 'failed at RCPT',
  data: 'failed at DATA',
  text: 'failed while it was given the message',
  final: 'failed at the end of the message',
}
