import { splitAddresses } from '../../ui/form/addresses.ts'
import { fromLocal } from '../../ui/form/local-time.ts'

/** The fields of an email as a form holds them. Empty is none. */
export type Composed = {
  from: string
  to: string
  subject: string
  templateId: string
  html: string
  text: string
  cc: string
  bcc: string
  replyTo: string
  tags: string
  headers: string
}

export type AttachedFile = { filename: string; contentType: string; size: number; content: string }

export const emptyEmail: Composed = {
  from: '',
  to: '',
  subject: '',
  templateId: '',
  html: '',
  text: '',
  cc: '',
  bcc: '',
  replyTo: '',
  tags: '',
  headers: '',
}

/** Returns the body of `POST /v1/emails`. Empty fields are left out; `to` stays, for the server to refuse. */
export function emailBody(
  email: Composed,
  variables: Record<string, string>,
  files: AttachedFile[],
  scheduledAt: string | undefined,
) {
  const { from, to, subject, templateId, html, text, cc, bcc, replyTo, tags, headers } = email
  const given = Object.entries(variables).filter(([, value]) => value !== '')
  return {
    from,
    to: splitAddresses(to),
    subject,
    ...(templateId && { templateId }),
    ...(html && { html }),
    ...(text && { text }),
    ...(cc && { cc: splitAddresses(cc) }),
    ...(bcc && { bcc: splitAddresses(bcc) }),
    ...(replyTo && { replyTo }),
    ...(tags.trim() && { tags: readPairs(tags) }),
    ...(headers.trim() && { headers: readPairs(headers) }),
    ...(given.length > 0 && { templateVariables: Object.fromEntries(given) }),
    ...(files.length > 0 && {
      attachments: files.map(({ filename, contentType, content }) => ({
        ...{ filename, content },
        ...(contentType && { contentType }),
      })),
    }),
    ...(scheduledAt !== undefined && { scheduledAt: fromLocal(scheduledAt) }),
  }
}

/** Reads lines of `name: value`. */
export function readPairs(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
