import type { Caller, Limits } from '../../context.ts'
import type { SendingDomain } from '../../domains/queries.ts'
import type { DomainError } from '../../platform/errors.ts'
import { modeOf } from '../../platform/mode/mode.ts'
import type { Addressee } from '../../suppressions/queries.ts'
import type { EmailJob } from '../jobs.ts'
import type { Mailbox } from '../mailbox.ts'
import type { SubmittedSource } from '../mime/source/finish.ts'
import type { FilledText } from '../of-broadcasts/compile.ts'
import type { EmailBounds } from '../quota/take.ts'
import type { EmailStatus } from './statuses.ts'

/** One email, whether it came by HTTP, SMTP or a workflow: parsed, within bounds, with its template rendered. */
export type EmailCommand = {
  /** Set if the id is known before the email is made. A second email with the id is refused. */
  id?: string
  workflowId?: string
  /** The text of the request, unchanged. The API shows it so. */
  from: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
  replyTo: string | null
  /** The mailbox of `from`. */
  sender: Mailbox
  /** The bare address of every recipient, each once. */
  recipients: string[]
  /** The sender's domain, in lower case and ASCII. */
  domainName: string
  subject: string
  /** Both bodies are null if `source` holds them. */
  html: string | null
  text: string | null
  headers: Record<string, string> | null
  tags: Record<string, unknown> | null
  attachments: Attachment[]
  /** A submitted message. It is sent as it came, not composed from the fields above. */
  source: SubmittedSource | null
  scheduledAt: Date | null
  /** Why the template cannot be used. Thrown after the domain was checked. */
  templateRefusal: DomainError | null
  /** True for mail of the installation to its users. It is not tracked, and only owners and admins see it. */
  system?: true
  /** True for a test of a broadcast. It is not tracked and in no figure. */
  untracked?: true
}

export type Attachment = { filename: string; contentType: string | null; contentId: string | null; content: Buffer }

/** The part of the caller that sending depends on. */
export type SendingTeam = Pick<Caller, 'teamId' | 'domainId'> & { limits: Limits; bounds: EmailBounds }

type Bodies = Record<'html' | 'text', { length: number } | null> & { attachments: { content: Buffer }[] }

/** Estimates the bytes that are stored and sent for an email. */
export function sizeOf({ html, text, attachments }: Bodies, source: Buffer | null = null): number {
  const attached = attachments.reduce((sum, { content }) => sum + content.length, 0)
  return (html?.length ?? 0) + (text?.length ?? 0) + attached + (source?.length ?? 0)
}

/** Returns the recipients of an email, to look them up among suppressed addresses. */
export function addresseesOf(teamId: string, { recipients, system }: EmailCommand): Addressee[] {
  return recipients.map((address) => ({ teamId, address, system: system === true }))
}

/** An email that is durable. */
export type AcceptedEmail = {
  id: string
  command: EmailCommand
  domain: SendingDomain
  teamId: string
  /** The sender's Message-ID or one made from the id, with angle brackets. */
  messageId: string
  /** A submitted message without its signature; null if the message is composed from the command. */
  source: Buffer | null
  createdAt: Date
  /** Held by this process if the email is sent at once. It is set with COMMIT, so the transaction cannot read it. */
  job: EmailJob | null
}

/** Makes the email of the answer from the request. */
export function emailOf({ id, teamId, command, createdAt }: AcceptedEmail, status: EmailStatus) {
  const { from, to, cc, bcc, subject, html, text, tags, scheduledAt } = command
  return { id, from, to, cc, bcc, subject, html, text, tags, status, mode: modeOf(teamId), scheduledAt, createdAt }
}

/** Makes a Message-ID from the id, so that every repeat of an email carries the same one. */
export function newMessageId(id: string, domainName: string): string {
  return `<${id}@${domainName}>`
}

type AsGiven = 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'headers' | 'attachments' | 'recipients'

/** An email as it is handed over, whether it was read from memory or from rows. */
export type Outbound = Pick<EmailCommand, AsGiven> & {
  teamId: string
  id: string
  messageId: string
  /**
   * The body of a broadcast's email is a `FilledText`, which is not rendered yet. Both bodies are null if `source`
   * holds them.
   */
  html: string | FilledText | null
  text: string | FilledText | null
  /** A submitted message; null if the message is composed. */
  source: Buffer | null
  /** `Date` of the message, the same on every repeat. */
  date: Date
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
