import type { GivenEmail } from '../emails/messages/accept/parse.ts'
import { invalid } from '../platform/errors.ts'
import type { Message } from './message.ts'

/**
 * Their message as our email. Throws `invalid` for what only Postmark requires, and for what Posthorn does not have.
 */
export function emailOf(message: Message): GivenEmail {
  const { From: from, Subject: subject, HtmlBody: html, TextBody: text, MessageStream: stream } = message
  const { Attachments: attachments, Headers: headers } = message
  if (stream && stream !== 'outbound') throw invalid('MessageStream', streamFault)
  const to = splitList(message.To)
  if (to.length === 0) throw invalid('To', 'is required')
  if (!html && !text) throw invalid('HtmlBody or TextBody', 'is required')
  const replyTo = splitList(message.ReplyTo)
  const tags = tagsOf(message)
  return {
    ...{ from, to, cc: splitList(message.Cc), bcc: splitList(message.Bcc), subject: subject ?? '' },
    ...(html && { html }),
    ...(text && { text }),
    ...(replyTo.length > 0 && { replyTo }),
    ...(headers?.length && { headers: headersOf(headers) }),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(attachments?.length && { attachments: attachments.map(attachmentOf) }),
  }
}

const streamFault =
  'must be outbound or left out, because Posthorn has no streams: to write to many, use POST /v1/broadcasts'

/** Splits at the commas outside of quotes. What is empty between them is left out. */
function splitList(text: string | null | undefined): string[] {
  const parts = (text ?? '').match(/(?:"(?:\\.|[^"\\])*"?|[^,"])+/gs) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The tag and the metadata are tags of ours; the first one is named `tag`. */
function tagsOf({ Tag: tag, Metadata: metadata }: Message): Record<string, string> {
  if (tag && Object.hasOwn(metadata ?? {}, 'tag')) throw invalid('Metadata.tag', 'is what Tag is kept as: rename it')
  const texts = Object.entries(metadata ?? {}).map(([name, value]) => [name, String(value)])
  return { ...(tag && { tag }), ...Object.fromEntries(texts) }
}

/** Headers that mail libraries write of a message's form, which is composed anew. */
const ofForm = /^(message-id|date|mime-version|content-.*)$/i

function headersOf(given: NonNullable<Message['Headers']>): Record<string, string> {
  // No prototype, since a header may be called `__proto__`.
  const headers: Record<string, string> = Object.create(null)
  for (const [index, { Name: name, Value: value }] of given.entries()) {
    if (ofForm.test(name)) continue
    if (Object.hasOwn(headers, name)) throw invalid(`Headers[${index}].Name`, `names ${name} a second time`)
    headers[name] = value
  }
  return headers
}

type GivenAttachment = NonNullable<Message['Attachments']>[number]

function attachmentOf({ Name: filename, Content: content, ContentType: contentType, ...named }: GivenAttachment) {
  const id = named.ContentID ?? named.ContentId
  // The package for PHP gives the name of a file as its id.
  const contentId = id === filename ? undefined : id?.replace(/^cid:/i, '')
  return { filename, content, ...(contentType && { contentType }), ...(contentId && { contentId }) }
}
