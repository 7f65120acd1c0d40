import { isAscii } from 'node:buffer'
import type { App } from '../../../context.ts'
import { signingKeyOf } from '../../../domains/signing-key.ts'
import { longWorkBytes, takeTurn } from '../../../platform/turns.ts'
import { parseMailbox } from '../../mailbox.ts'
import { composeMessage } from '../../mime/compose.ts'
import { signMessage } from '../../mime/dkim.ts'
import { isRelayOrder } from '../../mime/relay-orders.ts'
import { rewriteHtml } from '../../mime/source/rewrite-html.ts'
import { toSevenBit } from '../../mime/source/seven-bit.ts'
import { withoutOrders } from '../../mime/source/without-orders.ts'
import type { MessageHead, OutboundMessage } from '../../provider.ts'
import { emailProviderOf } from '../../provider-of.ts'
import { trackHtml } from '../../tracking/track-html.ts'
import { envelopeOf } from './envelope.ts'
import type { Addressed, Outbound } from './outbound.ts'

/** Makes the finished message: composed unless it was submitted, and signed with the domain's key unless the provider signs or the domain is not the team's. */
export async function composeOutbound(app: App, email: Outbound): Promise<OutboundMessage> {
  const { html, text, attachments, source } = email
  const attached = attachments.reduce((sum, { content }) => sum + content.length, source?.length ?? 0)
  if ((html?.length ?? 0) + (text?.length ?? 0) + attached > longWorkBytes) await takeTurn()
  const track = (html: string) => trackHtml(app, email, html)
  const raw = email.source ? rewriteHtml(withoutOrders(email.source), track) : compose(email, track)
  const message = { ...describeOutbound(app, email), raw: await sign(app, email, raw) }
  return isAscii(raw) ? message : { ...message, sevenBit: () => sign(app, email, toSevenBit(raw)) }
}

async function sign(app: App, { teamId, domain, date }: Outbound, raw: Buffer): Promise<Buffer> {
  const { signs, rewrites } = emailProviderOf(app, teamId)
  if (signs || domain.dkimPrivateKey === '') return raw
  const key = { domainName: domain.name, selector: domain.dkimSelector, privateKey: signingKeyOf(app, domain) }
  return signMessage(raw, [key], date, rewrites)
}

function compose(email: Outbound, track: (html: string) => string): Buffer {
  return composeMessage({
    messageId: email.messageId,
    date: email.date,
    from: mailbox(email.from),
    to: email.to.map(mailbox),
    cc: (email.cc ?? []).map(mailbox),
    replyTo: email.replyTo === null ? [] : [mailbox(email.replyTo)],
    subject: email.subject,
    text: email.text,
    html: email.html && track(email.html),
    attachments: email.attachments,
    headers: headersOf(email),
  })
}

/** Emails that an earlier release accepted may hold headers that are refused now. */
function headersOf({ headers }: Outbound): { name: string; value: string }[] {
  const all = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }))
  return all.filter(({ name }) => !isRelayOrder(name))
}

/** Describes a message without reading its content. */
export function describeOutbound(app: App, email: Addressed): MessageHead {
  const { domain } = email
  return {
    teamId: email.teamId,
    emailId: email.id,
    domainName: domain.name,
    region: domain.region,
    tls: domain.tls,
    messageId: email.messageId,
    envelope: envelopeOf(app, email),
    summary: { from: email.from, to: email.to, bcc: email.bcc ?? [], subject: email.subject },
    ...(email.system && { system: true }),
    at: app.clock.now(),
  }
}

function mailbox(text: string) {
  const parsed = parseMailbox(text)
  if (!parsed) throw new Error('An address that was checked when the email was accepted cannot be read.')
  return parsed
}
