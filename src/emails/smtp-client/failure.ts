import type { Reply } from './reply.ts'

/**
 * The progress of a message when its connection failed. In every phase before `final`, it was not handed over and may
 * be tried again. In `final`, writing the terminating dot had begun, so only the server knows the outcome.
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

/** `reply` is the server's if it is the reason: a 421, a refused login, a 554 instead of a greeting. */
export type Failure = { phase: Phase; message: string; reply: Reply | null }

/** The error that `connect` throws. */
export class SmtpFailure extends Error implements Failure {
  readonly phase: Phase
  readonly reply: Reply | null
  constructor(phase: Phase, message: string, reply: Reply | null = null) {
    super(message)
    this.phase = phase
    this.reply = reply
  }
}

/** A server's fault in each phase, as the end of a sentence. */
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
