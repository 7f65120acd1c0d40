import { attachmentHeaders } from './attachments.ts'
import { type Body, textBody } from './bodies.ts'
import type { Attachment, MessageContent, PreparedText } from './content.ts'

/** A part of a message's tree: a leaf with a body, or a multipart with children. */
export type Part = Leaf | Multipart
type Leaf = { headers: string; body: Body }
export type Multipart = { kind: 'mixed' | 'alternative' | 'related'; children: Part[] }

/**
 * Builds the tree: `mixed` has the files, `alternative` text and HTML, `related` the HTML and the files that it shows.
 */
export function partOf(content: MessageContent): Part {
  const inline = content.html === null ? [] : content.attachments.filter((file) => file.contentId !== null)
  const attached = content.attachments.filter((file) => !inline.includes(file))
  const shown = alternatives(content, inline)
  return attached.length === 0
    ? shown
    : { kind: 'mixed', children: [shown, ...attached.map((file) => filePart(file, false))] }
}

function alternatives(content: MessageContent, inline: Attachment[]): Part {
  if (content.html === null) return textPart('plain', content.text ?? '')
  const html = textPart('html', content.html)
  const whole: Part =
    inline.length === 0 ? html : { kind: 'related', children: [html, ...inline.map((file) => filePart(file, true))] }
  // RFC 2046 5.1.4: the plainest first.
  return content.text === null ? whole : { kind: 'alternative', children: [textPart('plain', content.text), whole] }
}

function textPart(subtype: 'plain' | 'html', text: string | PreparedText): Leaf {
  const body = typeof text === 'string' ? textBody(text) : text.toBody()
  return { headers: `Content-Type: text/${subtype}; charset=utf-8\r\n${encodingHeader(body)}`, body }
}

function filePart(file: Attachment, isInline: boolean): Leaf {
  const body: Body = { encoding: 'base64', octets: file.content }
  return { headers: `${attachmentHeaders(file, isInline)}${encodingHeader(body)}`, body }
}

function encodingHeader(body: Body): string {
  return `Content-Transfer-Encoding: ${body.encoding}\r\n`
}
