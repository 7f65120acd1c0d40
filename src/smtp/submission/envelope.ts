import { identifyApiKey } from '../../api-keys/identify.ts'
import type { Caller } from '../../context.ts'
import { submittedRecipientsMax } from '../../emails/bounds.ts'
import { callerInMode } from '../../platform/mode/caller.ts'
import { isAddress, needsQuotes, unquoteAddress } from '../../platform/text/mail-address.ts'
import { failureReply, reply } from './reply.ts'
import { type Envelope, refuseSyntax, type Session, sayGoodbye } from './session.ts'

/** Handles MAIL. Ignores its address, because bounces return to the domain's own return path. */
export async function beginEnvelope(session: Session, argument: string): Promise<void> {
  const { app, wire } = session
  if (app.isDraining()) return sayGoodbye(session, reply('421 4.3.2', 'This server is shutting down. Connect again.'))
  if (!wire.secure) return refuseSyntax(session, reply('530 5.7.0', 'Say STARTTLS first.'))
  if (session.key === null)
    return refuseSyntax(session, reply('530 5.7.0', 'Log in first, with an API key as the password.'))
  if (session.envelope)
    return refuseSyntax(session, reply('503 5.5.1', 'A message is begun already. End it with DATA or RSET.'))
  const path = readPath('FROM', argument)
  if (!path) return refuseSyntax(session, reply('501 5.5.4', 'Write MAIL FROM:<address>.'))
  const refusal = parameterFault(session, path.parameters)
  if (refusal) return void wire.reply(refusal)
  const { key } = session
  const caller = await admit(session, key)
  if (caller) {
    session.envelope = { key, teamId: caller.teamId, recipients: [] }
    wire.reply('250 2.1.0 Ok\r\n')
  }
}

/**
 * Returns the key's caller; null if it is no longer valid or over its requests per minute. A message counts as one
 * request.
 */
async function admit(session: Session, key: string): Promise<Caller | null> {
  const { app, wire } = session
  try {
    const caller = await callerOf(session, key)
    if (!caller) return null
    const window = await app.countRequest(caller, wire.address)
    if (window.allowed) return caller
    const seconds = Math.max(1, Math.ceil(window.resetAtSeconds - app.clock.now().getTime() / 1000))
    wire.reply(reply('451 4.7.1', `More than ${window.limit} requests this minute. Wait ${seconds} s.`))
  } catch (error) {
    wire.reply(failureReply(app, error))
  }
  return null
}

/** Looks the key up again. Null, and the session ends, if it is no longer valid. */
export async function callerOf(session: Session, key: string): Promise<Caller | null> {
  const caller = await identifyApiKey(session.app, key)
  if (caller) return callerInMode(caller, undefined)
  session.key = null
  sayGoodbye(session, reply('535 5.7.8', 'This API key does not exist any more.'))
  return null
}

/** Handles RCPT. */
export async function addRecipient(session: Session, argument: string): Promise<void> {
  const { wire, envelope } = session
  if (!envelope) return refuseSyntax(session, reply('503 5.5.1', 'Say MAIL first.'))
  const path = readPath('TO', argument)
  if (!path) return refuseSyntax(session, reply('501 5.5.4', 'Write RCPT TO:<address>.'))
  const [parameter] = path.parameters
  // No parameter of RCPT is announced: reports of delivery (RFC 3461) are events here.
  if (parameter !== undefined)
    return refuseSyntax(session, reply('555 5.5.4', `Not known here: ${parameter.slice(0, 100)}`))
  const address = unquoteAddress(path.address)
  const refusal = recipientFault(envelope, address)
  if (refusal === null) envelope.recipients.push(address)
  wire.reply(refusal ?? '250 2.1.5 Ok\r\n')
}

function recipientFault({ recipients }: Envelope, address: string): string | null {
  if (needsQuotes(address)) {
    return reply('553 5.1.3', 'The part before the @ needs quotes. No mail is sent to such addresses.')
  }
  if (!isAddress(address)) return reply('553 5.1.3', 'This is no address that mail can be sent to.')
  if (recipients.length < submittedRecipientsMax) return null
  return reply('452 4.5.3', `At most ${submittedRecipientsMax} recipients. Send the others a message of their own.`)
}

type Path = { address: string; parameters: string[] }

/** Reads `FROM:<address> PARAMETER=value …`. Accepts a blank after the colon, which is wrong but common. */
function readPath(word: 'FROM' | 'TO', argument: string): Path | null {
  const [, name, latin1, rest = ''] =
    /^(\w+):[ \t]*<((?:[^<>\s"]|"(?:[^"\\]|\\.)*")*)>(?:[ \t]+(.*))?$/.exec(argument) ?? []
  if (name?.toUpperCase() !== word || latin1 === undefined) return null
  const address = Buffer.from(latin1, 'latin1').toString('utf8')
  return {
    address,
    parameters: rest
      .toUpperCase()
      .split(/[ \t]+/)
      .filter((parameter) => parameter !== ''),
  }
}

/** Those of the announced extensions; SMTPUTF8 is none of them. Others are refused with 555 (RFC 5321 4.1.1.11). */
const knownParameters = /^(?:SIZE=\d{1,20}|BODY=(?:7BIT|8BITMIME)|AUTH=\S+)$/

function parameterFault({ bounds }: Session, parameters: string[]): string | null {
  const unknown = parameters.find((parameter) => !knownParameters.test(parameter))
  if (unknown !== undefined) return reply('555 5.5.4', `Not known here: ${unknown.slice(0, 100)}`)
  const size = parameters.find((parameter) => parameter.startsWith('SIZE='))?.slice('SIZE='.length)
  return Number(size ?? 0) > bounds.messageBytesMax ? tooLargeReply(bounds.messageBytesMax) : null
}

export function tooLargeReply(bytesMax: number): string {
  return reply('552 5.3.4', `The message is larger than the ${bytesMax / 1024 / 1024} MiB taken here.`)
}
