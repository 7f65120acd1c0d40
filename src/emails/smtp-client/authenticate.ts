import { isLoopback } from '../../platform/egress/loopback.ts'
import type { Extensions } from './extensions.ts'
import { SmtpFailure } from './failure.ts'
import { formatReply, type Reply } from './reply.ts'
import type { Wire } from './wire.ts'

export type Credentials = { user: string; password: string }

/**
 * Logs in with PLAIN (RFC 4616) or else LOGIN. Throws `SmtpFailure` with phase `auth`. Without encryption, sends a
 * password only to a loopback address, so that it never leaves this machine in plain text.
 */
export async function authenticate(wire: Wire, extensions: Extensions, credentials: Credentials, timeoutMs: number) {
  if (!wire.secure && !isLoopback(wire.remoteAddress)) {
    throw new SmtpFailure('auth', 'the connection is not encrypted, so the password was not sent')
  }
  const plain = base64(`\0${credentials.user}\0${credentials.password}`)
  const secrets = [credentials.password, plain, base64(credentials.password)]
  const ask = async (line: string) => {
    wire.write(`${line}\r\n`)
    const reply = await wire.ask(timeoutMs)
    if (!reply) throw new SmtpFailure('auth', wire.lost?.message ?? '', wire.lost?.reply)
    return reply
  }
  const reply = extensions.auth.includes('PLAIN')
    ? await loginPlain(ask, plain)
    : extensions.auth.includes('LOGIN')
      ? await loginLogin(ask, credentials)
      : null
  if (!reply) throw new SmtpFailure('auth', 'the server offers neither AUTH PLAIN nor AUTH LOGIN')
  if (reply.code !== 235) {
    const answer = { ...reply, text: without(secrets, reply.text) }
    throw new SmtpFailure('auth', `the server refused the user name or password: ${formatReply(answer)}`, answer)
  }
}

type Ask = (line: string) => Promise<Reply>

async function loginPlain(ask: Ask, plain: string): Promise<Reply> {
  const reply = await ask(`AUTH PLAIN ${plain}`)
  return reply.code === 334 ? ask(plain) : reply
}

async function loginLogin(ask: Ask, credentials: Credentials): Promise<Reply> {
  const forUser = await ask('AUTH LOGIN')
  if (forUser.code !== 334) return forUser
  const forPassword = await ask(base64(credentials.user))
  return forPassword.code === 334 ? ask(base64(credentials.password)) : forPassword
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Masks the secrets in a reply, because some servers quote the line they refuse and replies are logged. */
function without(secrets: string[], text: string): string {
  return secrets.filter((secret) => secret !== '').reduce((left, secret) => left.replaceAll(secret, '***'), text)
}
