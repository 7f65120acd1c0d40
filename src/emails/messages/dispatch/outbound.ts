import type { AcceptedEmail } from '../accept/accept.ts'
import type { Outbound } from './compose.ts'

/** The email just accepted, from memory. */
export function outboundOf({ id, teamId, command, domain, messageId, source, createdAt }: AcceptedEmail): Outbound {
  const { from, to, cc, bcc, replyTo, subject, html, text, headers, attachments, recipients } = command
  return {
    teamId,
    id,
    messageId,
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    html,
    text,
    headers,
    attachments,
    source,
    recipients,
    domain,
    date: createdAt,
  }
}
