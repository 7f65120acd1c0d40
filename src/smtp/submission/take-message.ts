import { submitMessage } from '../../emails/submit/submit.ts'
import { DomainError } from '../../platform/errors.ts'
import { callerOf, tooLargeReply } from './envelope.ts'
import { failureReply, reply } from './reply.ts'
import { type Envelope, refuseSyntax, type Session, sayGoodbye } from './session.ts'
import { hasBareCr, type Text } from './text.ts'

/** Handles DATA. Replies 250 once the email is stored and handed over, as the API replies 200. */
export async function takeMessage(session: Session, argument: string): Promise<void> {
  const { wire, envelope, bounds, budget } = session
  if (argument !== '') return refuseSyntax(session, reply('501 5.5.4', 'DATA takes no parameters.'))
  if (!envelope) return refuseSyntax(session, reply('503 5.5.1', 'Say MAIL first.'))
  if (envelope.recipients.length === 0) return refuseSyntax(session, reply('554 5.5.1', 'There is no recipient.'))
  wire.reply('354 End with a dot in a line of its own\r\n')
  const lease = budget.lease(envelope.teamId)
  try {
    const text = await wire.text(bounds.messageBytesMax, lease, bounds.textMs)
    session.envelope = null
    session.wasted = 0
    if (!text) session.over = true
    else if (text.kind === 'whole') await submit(session, envelope, text.octets)
    else refuseText(session, text.kind)
  } finally {
    lease.end()
  }
}

function refuseText(session: Session, kind: Exclude<Text['kind'], 'whole'> | 'busy'): void {
  if (kind === 'tooLarge') session.wire.reply(tooLargeReply(session.bounds.messageBytesMax))
  // The end of the text is unknown, so the connection cannot continue.
  else if (kind === 'busy')
    sayGoodbye(session, reply('421 4.3.1', 'Too many large messages at once. Try again shortly.'))
  else sayGoodbye(session, reply('554 5.5.2', 'A dot stands in a line that does not begin and end with CR LF.'))
}

/** The key is looked up again, because a client may take hours from MAIL to the end of the text. */
async function submit(session: Session, { key, recipients }: Envelope, raw: Buffer): Promise<void> {
  const { app, name, wire } = session
  try {
    if (hasBareCr(raw)) throw new DomainError('invalid', 'The message holds a CR without LF. End lines with CR LF.')
    const caller = await callerOf(session, key)
    if (!caller) return
    // The name of the protocol with encryption and a login (RFC 3848).
    const received = `by ${name} with ESMTPSA`
    const id = await submitMessage(app, caller, { recipients, raw, received })
    wire.reply(`250 2.0.0 Ok: ${id}\r\n`)
  } catch (error) {
    wire.reply(failureReply(app, error))
  }
}
