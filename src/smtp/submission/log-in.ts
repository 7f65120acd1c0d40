import { identifyApiKey } from '../../api-keys/identify.ts'
import { failureReply, reply } from './reply.ts'
import { commandWaitMs, refuseSyntax, type Session, sayGoodbye } from './session.ts'

const badKeysMax = 3

/**
 * Handles AUTH PLAIN and AUTH LOGIN. Accepts an API key as the password with any user name, as other services do, or as
 * the user name with an empty password.
 */
export async function logIn(session: Session, argument: string): Promise<void> {
  const { wire } = session
  if (!wire.secure)
    return refuseSyntax(session, reply('538 5.7.11', 'Say STARTTLS first: keys are taken encrypted only.'))
  if (!session.greeted) return refuseSyntax(session, reply('503 5.5.1', 'Say EHLO first.'))
  if (session.key !== null || session.envelope)
    return refuseSyntax(session, reply('503 5.5.1', 'You are logged in already.'))
  const [mechanism = '', initial = null] = argument.split(/[ \t]+/)
  const credentials = { PLAIN: plain, LOGIN: login }[mechanism.toUpperCase()]
  if (!credentials) return refuseSyntax(session, reply('504 5.5.4', 'Use AUTH PLAIN or AUTH LOGIN.'))
  const given = await credentials(session, initial)
  if (given === null) return
  if (!given)
    return refuseSyntax(session, reply('501 5.5.2', 'The credentials are not base64 as the mechanism wants it.'))
  await judge(session, given)
}

type Credentials = { user: string; password: string }
/** Null if the client gave up and has been answered; undefined if the credentials are malformed. */
type Asking = Promise<Credentials | null | undefined>

async function judge(session: Session, { user, password }: Credentials): Promise<void> {
  const { app, wire } = session
  try {
    const key = password === '' ? user : password
    if (!(await identifyApiKey(app, key))) return refuseKey(session)
    session.key = key
    session.wasted = 0
    session.noteLogin(wire)
    wire.reply('235 2.7.0 Logged in\r\n')
  } catch (error) {
    wire.reply(failureReply(app, error))
  }
}

/** Refuses a key, and ends the session after too many. Keys are too long to guess; the limit saves work. */
function refuseKey(session: Session): void {
  const { wire, countBadKey } = session
  const refusal = reply(
    '535 5.7.8',
    'This API key does not exist, has expired, or was revoked. Give the key as the password; the user name may be anything.',
  )
  const isTooMany = countBadKey(wire.address) || ++session.badKeys >= badKeysMax
  if (isTooMany) sayGoodbye(session, refusal)
  else wire.reply(refusal)
}

/** Reads an RFC 4616 response: the identity to act for, the user and the password, separated by NUL. */
async function plain(session: Session, initial: string | null): Asking {
  const text = await answerOf(session, initial, '')
  if (text === null) return null
  const parts = text?.split('\0') ?? []
  const [identity, user, password] = parts
  if (parts.length !== 3 || user === undefined || password === undefined) return undefined
  return identity === '' || identity === user ? { user, password } : { user, password: 'for somebody else' }
}

async function login(session: Session, initial: string | null): Asking {
  const user = await answerOf(session, initial, 'Username:')
  if (user === null || user === undefined) return user
  const password = await answerOf(session, null, 'Password:')
  return password === null || password === undefined ? password : { user, password }
}

/** Returns the response that came with the command, or asks for it. Undefined if it is not base64. */
async function answerOf(
  session: Session,
  initial: string | null,
  question: string,
): Promise<string | null | undefined> {
  const answer = initial === null ? await ask(session, question) : initial === '=' ? '' : initial
  if (answer === null) return null
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(answer)
    ? Buffer.from(answer, 'base64').toString('utf8')
    : undefined
}

async function ask(session: Session, question: string): Promise<string | null> {
  const { wire } = session
  wire.reply(`334 ${Buffer.from(question).toString('base64')}\r\n`)
  const line = await wire.line(commandWaitMs(session))
  if (line?.kind === 'line' && line.text !== '*') return line.text
  if (line?.kind === 'line') refuseSyntax(session, reply('501 5.7.0', 'Logging in was given up.'))
  else sayGoodbye(session, reply('421 4.7.0', 'That was no answer.'))
  return null
}
