import { subjectMax } from '../emails/bounds.ts'
import { formatMailbox } from '../emails/mailbox.ts'
import type { GivenEmail } from '../emails/messages/accept/parse.ts'
import { contentMaxBytes } from '../emails/messages/send-batch.ts'
import { invalid } from '../platform/errors.ts'
import { longWorkBytes, takeTurn } from '../platform/waiting/turns.ts'
import type { GivenMailbox, MailBody, Personalization } from './mail-body.ts'
import { substitute } from './substitute.ts'
import { readTemplateId, templateVariables } from './template.ts'

/** Their request as our emails, one for each personalization. Throws `invalid` for what only SendGrid requires. */
export async function emailsOf(body: MailBody): Promise<GivenEmail[]> {
  const common = commonOf(body)
  const emails: GivenEmail[] = []
  let length = 0
  for (const [index, personalization] of body.personalizations.entries()) {
    const email = emailOf(body, common, personalization, `personalizations[${index}]`)
    emails.push(email)
    if (!personalization.substitutions) continue
    length += (email.html?.length ?? 0) + (email.text?.length ?? 0)
    if (length > contentMaxBytes)
      throw invalid('personalizations', 'hold more than 40 MiB together once their substitutions are made')
    if (length > longWorkBytes) await takeTurn()
  }
  return emails
}

function emailOf(body: MailBody, common: Common, personalization: Personalization, at: string): GivenEmail {
  const { to, cc, bcc, substitutions = {}, dynamic_template_data: data } = personalization
  const from = personalization.from ?? body.from
  const subject = personalization.subject ?? body.subject
  if (!from) throw invalid('from', 'is required')
  if (to.length === 0) throw invalid(`${at}.to`, 'must not be empty')
  if (subject === undefined) throw invalid('subject', subjectFault(body))
  if (data && !body.template_id) throw invalid(`${at}.dynamic_template_data`, 'needs template_id')
  const { html, text, ...rest } = common
  const own = ownOf(body, personalization)
  refuseMoreThan(fieldsMax, 'headers', own.headers)
  refuseMoreThan(fieldsMax, 'custom_args', own.tags)
  const filled = (written: string) => substitute(written, substitutions, `${at}.substitutions`)
  return {
    ...rest,
    from: textOf(from),
    to: to.map(textOf),
    ...(cc && { cc: cc.map(textOf) }),
    ...(bcc && { bcc: bcc.map(textOf) }),
    subject: subjectOf(filled(subject)),
    ...(html !== undefined && { html: filled(html) }),
    ...(text !== undefined && { text: filled(text) }),
    ...(data && { templateVariables: templateVariables(data, `${at}.dynamic_template_data`) }),
    ...own,
  }
}

/** The most headers of an email, and the most tags, as for our own API. */
const fieldsMax = 50

/** Categories count as tags. */
function refuseMoreThan(max: number, name: string, fields: object = {}): void {
  if (Object.keys(fields).length > max) throw invalid(name, `are more than ${max} together with those of the request`)
}

function subjectOf(filled: string): string {
  if (filled.length > subjectMax)
    throw invalid('subject', `must be at most ${subjectMax} characters once its substitutions are made`)
  return filled
}

function subjectFault({ template_id: id }: MailBody): string {
  return id ? 'is required, because the templates of Posthorn have no subject' : 'is required'
}

function textOf({ email, name }: GivenMailbox): string {
  return formatMailbox({ address: email, name: name || null })
}

type Common = Omit<GivenEmail, 'from' | 'to' | 'subject'>

/** The part of the emails that is the same in all. */
function commonOf(body: MailBody): Common {
  const { reply_to: replyTo, reply_to_list: replyToList, template_id: templateId, attachments } = body
  if (replyTo && replyToList) throw invalid('reply_to_list', 'cannot be used together with reply_to')
  if (!body.content?.length && !templateId) throw invalid('content', 'is required')
  const replyTos = replyToList ?? (replyTo ? [replyTo] : [])
  return {
    ...contentOf(body),
    ...(replyTos.length > 0 && { replyTo: replyTos.map(textOf) }),
    ...(templateId && { templateId: readTemplateId(templateId) }),
    ...(attachments?.length && { attachments: attachmentsOf(attachments) }),
  }
}

function contentOf({ content = [] }: MailBody): { html?: string; text?: string } {
  const read: { html?: string; text?: string } = {}
  for (const [index, { type, value }] of content.entries()) {
    const kind = /^text\/(html|plain)\s*(;.*)?$/i.exec(type)?.[1]?.toLowerCase()
    const at = `content[${index}].type`
    if (!kind) throw invalid(at, 'must be text/plain or text/html: give any other content in attachments')
    const field = kind === 'html' ? 'html' : 'text'
    if (read[field] !== undefined) throw invalid(at, 'is given twice')
    read[field] = value
  }
  return read
}

function attachmentsOf(given: NonNullable<MailBody['attachments']>): NonNullable<GivenEmail['attachments']> {
  return given.map(({ content, filename, type: contentType, disposition, content_id: contentId }, index) => {
    if (disposition === 'inline' && !contentId) throw invalid(`attachments[${index}].content_id`, 'is required inline')
    return { content, filename, ...(contentType && { contentType }), ...(contentId && { contentId }) }
  })
}

/** The fields that a personalization has of its own or from the request. */
function ownOf(body: MailBody, own: Personalization): Pick<GivenEmail, 'headers' | 'tags' | 'scheduledAt'> {
  const headers = { ...body.headers, ...own.headers }
  const tags = { ...categoryTags(body.categories), ...body.custom_args, ...own.custom_args }
  const sendAt = own.send_at ?? body.send_at
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(sendAt !== undefined && { scheduledAt: new Date(sendAt * 1000).toISOString() }),
  }
}

/** Categories as tags: `category`, and `category_2` and so on for further ones. */
function categoryTags(categories: string[] = []): Record<string, string> {
  return Object.fromEntries(categories.map((name, at) => [at === 0 ? 'category' : `category_${at + 1}`, name]))
}
