import type { App } from '../../context.ts'
import type { SendingDomain } from '../../domains/queries.ts'
import { signingKeyOf } from '../../domains/signing-key.ts'
import type { Attachment } from '../accept/command.ts'
import { parseMailbox } from '../mailbox.ts'
import { composeMessage } from '../mime/compose.ts'
import { signMessage } from '../mime/dkim.ts'
import type { OutboundMessage } from '../provider.ts'

/** An email as it is handed over, whichever road it took to here. */
export type Outbound = {
  teamId: string
  id: string
  messageId: string
  from: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
  replyTo: string | null
  subject: string
  html: string | null
  text: string | null
  headers: Record<string, string> | null
  attachments: Attachment[]
  /** `Date` of the message, the same on every repeat. */
  date: Date
  /** Bare addresses of those it goes to. */
  recipients: string[]
  domain: SendingDomain
}

export const dkimSelector = 'posthorn'

/** The finished message: composed, and signed with the domain's key unless the provider signs. */
export async function composeOutbound(app: App, email: Outbound): Promise<OutboundMessage> {
  const raw = composeMessage({
    messageId: email.messageId,
    date: email.date,
    from: mailbox(email.from),
    to: email.to.map(mailbox),
    cc: (email.cc ?? []).map(mailbox),
    replyTo: email.replyTo === null ? [] : [mailbox(email.replyTo)],
    subject: email.subject,
    text: email.text,
    html: email.html,
    attachments: email.attachments,
    headers: Object.entries(email.headers ?? {}).map(([name, value]) => ({ name, value })),
  })
  const { domain } = email
  const key = { domainName: domain.name, selector: dkimSelector, privateKey: signingKeyOf(app, domain) }
  return {
    teamId: email.teamId,
    emailId: email.id,
    domainName: domain.name,
    tls: domain.tls,
    messageId: email.messageId,
    envelope: { from: returnPath(email), to: email.recipients },
    raw: app.emailProvider.signs ? raw : await signMessage(raw, [key], email.date),
    summary: { from: email.from, to: email.to, bcc: email.bcc ?? [], subject: email.subject },
    at: app.clock.now(),
  }
}

function mailbox(text: string) {
  const parsed = parseMailbox(text)
  if (!parsed) throw new Error('An address that was checked at the door cannot be read.')
  return parsed
}

/** Bounces come back to the return path, whose SPF and MX records the domain carries; the id names the email. */
function returnPath({ id, domain }: Outbound): string {
  return `bounce+${id}@${domain.returnPath}`
}
