import type { AcceptedEmail } from '../accept/accept.ts'
import { messageIdOf } from '../accept/insert.ts'
import type { Outbound } from './compose.ts'

/** The email just accepted, from memory. */
export function outboundOf({ id, teamId, command, domain, createdAt }: AcceptedEmail): Outbound {
  const { from, to, cc, bcc, replyTo, subject, html, text, headers, attachments, recipients } = command
  const messageId = messageIdOf(id, domain.name)
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
    recipients,
    domain,
    date: createdAt,
  }
}
