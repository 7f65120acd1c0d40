import type { Caller, Limits } from '../../../context.ts'
import type { DomainError } from '../../../platform/errors.ts'
import type { Addressee } from '../../../suppressions/queries.ts'
import type { Mailbox } from '../../mailbox.ts'
import type { SubmittedSource } from '../../mime/source/finish.ts'
import type { EmailBounds } from '../../quota/take.ts'

/** One email, whether it came by HTTP, SMTP or a workflow: parsed, within bounds, with its template rendered. */
export type EmailCommand = {
  /** Set if the id is known before the email is made. A second email with the id is refused. */
  id?: string
  /** The workflow that sends it. */
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
