import { type ParsedMail, parseMail } from './parse-mail.ts'

/** Whether clients show a part within the message. A submitted message need not say it. */
type Disposition = 'inline' | 'attachment'

/** An attachment of a message. An inline image is one too. */
export type MessagePart = {
  filename: string | null
  contentType: string
  /** Without angle brackets. */
  contentId: string | null
  disposition: Disposition | null
  content: Buffer
}

/** Parses the attachments of a complete message, in their order. */
export async function readParts(raw: Buffer): Promise<MessagePart[]> {
  return partsOf(await parseMail(raw))
}

export function partsOf({ attachments }: ParsedMail): MessagePart[] {
  return attachments.map(({ filename, mimeType, contentId, disposition, content }) => ({
    filename,
    contentType: mimeType,
    contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    // Clients treat dispositions that they do not know as attachments (RFC 2183 2.8).
    disposition: disposition ? (disposition === 'inline' ? 'inline' : 'attachment') : null,
    content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
  }))
}
