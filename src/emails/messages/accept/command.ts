import type { Caller, Limits } from '../../../context.ts'
import type { DomainError } from '../../../platform/errors.ts'
import type { Mailbox } from '../../mailbox.ts'
import type { SubmittedSource } from '../../mime/source/finish.ts'
import type { EmailBounds } from '../../quota/take.ts'

/** One email as every door hands it in: parsed, within bounds, its template rendered. */
export type EmailCommand = {
  /** Where it is known before the email is made; no second email can have it. */
  id?: string
  /** As given, and as it reads back. */
  from: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
  replyTo: string | null
  sender: Mailbox
  /** Every recipient's bare address. */
  recipients: string[]
  /** Of the sender, in lower case and ASCII. */
  domainName: string
  subject: string
  html: string | null
  text: string | null
  headers: Record<string, string> | null
  tags: Record<string, unknown> | null
  attachments: Attachment[]
  /** Of a message that came complete: it is sent as it is, not composed from the fields above. */
  source: SubmittedSource | null
  scheduledAt: Date | null
  /** A template that cannot be used: refused after the domain was checked, as the order of checks is. */
  templateRefusal: DomainError | null
}

export type Attachment = { filename: string; contentType: string | null; contentId: string | null; content: Buffer }

/** Who sends: of the caller only what sending depends on. */
export type Sender = Pick<Caller, 'teamId' | 'domainId'> & { limits: Limits; bounds: EmailBounds }

/** About how many bytes it is to be written and sent. */
export function sizeOf({ html, text, attachments, source }: EmailCommand): number {
  const attached = attachments.reduce((sum, { content }) => sum + content.length, 0)
  return (html?.length ?? 0) + (text?.length ?? 0) + attached + (source?.body.length ?? 0)
}
