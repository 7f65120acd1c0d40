import type { SendingDomain } from '../../../domains/queries.ts'
import type { FilledText } from '../../of-broadcasts/compile.ts'
import type { AcceptedEmail } from '../accept/accepted.ts'
import type { Attachment } from '../accept/command.ts'

/** An email as it is handed over, whether it was read from memory or from rows. */
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
  /** The body of a broadcast's email is filled and not rendered. Both bodies are null if `source` holds them. */
  html: string | FilledText | null
  text: string | FilledText | null
  headers: Record<string, string> | null
  attachments: Attachment[]
  /** A submitted message; null if the message is composed. */
  source: Buffer | null
  /** `Date` of the message, the same on every repeat. */
  date: Date
  /** Bare addresses. */
  recipients: string[]
  domain: SendingDomain
  /** Mail of the installation to its users, which is not tracked. */
  system: boolean
  /** A test of a broadcast, which is not tracked. */
  untracked: boolean
}

/** An email without its content. */
export type Addressed = Omit<Outbound, 'html' | 'text' | 'attachments' | 'source'>

/** Makes the outbound email of an accepted one, from memory. */
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
    system: command.system ?? false,
    untracked: command.untracked ?? false,
  }
}
