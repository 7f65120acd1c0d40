import type { Db } from '../../../context.ts'
import { type FieldError, invalid, invalidFields, unprocessable } from '../../../platform/errors.ts'
import { domainOf, uniqueAddresses } from '../../../platform/text/mail-address.ts'
import { findTemplate } from '../../../templates/queries.ts'
import { renderSubject, renderText, type TemplateVariables } from '../../../templates/render.ts'
import { attachmentsMaxBytes, recipientsMax, subjectMax } from '../../bounds.ts'
import { joinMailboxes, type Mailbox, mailboxFault, parseMailbox, storedMailbox } from '../../mailbox.ts'
import { isContentId, isContentType, isHeaderName, isOwnHeader } from '../../mime/content.ts'
import { structureFault } from '../../mime/headers.ts'
import { isRelayOrder } from '../../mime/relay-orders.ts'
import type { SendEmailBody } from '../../schema.ts'
import type { Attachment, EmailCommand } from '../email.ts'

/** An email as the API takes it, or with several addresses in `replyTo`. */
export type GivenEmail = Omit<SendEmailBody, 'replyTo'> & { replyTo?: string | string[] }

/** Checks what a schema cannot. Throws `invalid` naming every fault. `renderCommand` renders the template. */
export function parseEmail(body: GivenEmail, now: Date): EmailCommand {
  const faults: FieldError[] = []
  const fault = (path: string, message: string) => void faults.push({ path, message })
  const sender = readMailbox(body.from, 'from', fault)
  const addresses = (['to', 'cc', 'bcc'] as const).flatMap((field) =>
    (body[field] ?? []).flatMap((text, index) => readMailbox(text, `${field}[${index}]`, fault)?.address ?? []),
  )
  const recipients = uniqueAddresses(addresses)
  if (recipients.length > recipientsMax) fault('to', `at most ${recipientsMax} recipients in to, cc and bcc together`)
  const replyTo = body.replyTo === undefined ? [] : [body.replyTo].flat()
  for (const text of replyTo) readMailbox(text, 'replyTo', fault)
  if (/[\r\n]/.test(body.subject)) fault('subject', 'must not hold a line break')
  for (const [name, value] of Object.entries(body.headers ?? {})) {
    const message = headerFault(name, value)
    if (message) fault(`headers.${name.slice(0, 80)}`, message)
  }
  const attachments = readAttachments(body.attachments ?? [], fault)
  const scheduledAt = body.scheduledAt === undefined ? null : new Date(body.scheduledAt)
  if (scheduledAt && scheduledAt <= now) fault('scheduledAt', 'must be in the future')
  if (faults.length > 0 || !sender) throw invalidFields(faults)
  return {
    from: storedMailbox(body.from),
    to: body.to.map(storedMailbox),
    cc: nullIfEmpty(body.cc?.map(storedMailbox)),
    bcc: nullIfEmpty(body.bcc?.map(storedMailbox)),
    replyTo: replyTo.length === 0 ? null : joinMailboxes(replyTo),
    sender,
    recipients,
    domainName: domainOf(sender.address),
    subject: body.subject,
    html: body.html || null,
    text: body.text || null,
    headers: body.headers ?? null,
    tags: body.tags ?? null,
    attachments,
    source: null,
    scheduledAt,
    templateRefusal: null,
  }
}

type Fault = (path: string, message: string) => void

function readMailbox(text: string, path: string, fault: Fault): Mailbox | null {
  const wrong = mailboxFault(text)
  if (wrong !== null) fault(path, wrong)
  return parseMailbox(text)
}

function nullIfEmpty(list: string[] | undefined): string[] | null {
  return list && list.length > 0 ? list : null
}

/** Says why an additional header of a request cannot be sent, or null. */
function headerFault(name: string, value: string): string | null {
  if (!isHeaderName(name)) return 'is not a header name: printable ASCII without colon and blank, at most 76 characters'
  if (isOwnHeader(name)) return 'is set by the platform and cannot be given'
  if (isRelayOrder(name)) return 'gives orders to mail services and cannot be given: leave it out'
  if (/\p{Cc}/u.test(value.replaceAll('\t', ' '))) return 'must not hold a line break or another control character'
  return structureFault(name, value)
}

function readAttachments(given: NonNullable<SendEmailBody['attachments']>, fault: Fault): Attachment[] {
  const attachments = given.map((attachment, index) => {
    const { filename, contentType = null, contentId = null } = attachment
    const path = `attachments[${index}]`
    if (/\p{Cc}/u.test(filename)) fault(`${path}.filename`, 'must not hold control characters')
    if (contentType !== null && !isContentType(contentType)) {
      fault(`${path}.contentType`, 'must be a media type such as application/pdf')
    }
    if (contentId !== null && !isContentId(contentId)) {
      fault(`${path}.contentId`, 'must be printable ASCII without blanks')
    }
    return { filename, contentType, contentId, content: readBase64(attachment.content, `${path}.content`, fault) }
  })
  const sizeBytes = attachments.reduce((sum, attachment) => sum + attachment.content.length, 0)
  if (sizeBytes > attachmentsMaxBytes) fault('attachments', 'must not be larger than 25 MiB together')
  return attachments
}

/**
 * Decodes base64, allowing line breaks. The length is compared, because Node ignores characters that it cannot decode.
 */
function readBase64(text: string, path: string, fault: Fault): Buffer {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0
  const content = Buffer.from(compact, 'base64')
  const valid =
    compact.length % 4 === 0 && content.length === (compact.length / 4) * 3 - padding && !/[-_]/.test(compact)
  if (!valid) fault(path, 'is not valid base64')
  return content
}

/**
 * Takes html or text from the template if the request leaves them out, and fills in the variables. A template that
 * cannot be used is noted in `templateRefusal`, because the domain is checked first.
 */
export async function renderCommand(
  db: Db,
  teamId: string,
  body: Pick<SendEmailBody, 'templateId' | 'templateVariables'>,
  command: EmailCommand,
): Promise<EmailCommand> {
  const { templateId, templateVariables: variables } = body
  const template = templateId === undefined ? undefined : await findTemplate(db, teamId, templateId)
  if (templateId !== undefined && template?.status !== 'published') {
    const message =
      'The template is not there, or is a draft. Publish it with PATCH /v1/templates/{id} {"status": "published"}.'
    return { ...command, templateRefusal: unprocessable('template_not_published', message) }
  }
  const html = command.html ?? template?.html ?? null
  const text = command.text ?? template?.text ?? null
  if (variables === undefined) return { ...command, html, text }
  return {
    ...command,
    subject: renderedSubject(command.subject, variables),
    html: html === null ? null : renderText(html, variables, { escape: 'html' }),
    text: text === null ? null : renderText(text, variables, { escape: 'text' }),
  }
}

/** Renders the subject. Its limit holds for the rendered text. */
function renderedSubject(source: string, variables: TemplateVariables): string {
  const subject = renderSubject(source, variables)
  if (subject.length > subjectMax)
    throw invalid('subject', `is longer than ${subjectMax} characters with its variables`)
  return subject
}
