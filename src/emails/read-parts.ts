import PostalMime from 'postal-mime'

/** An attachment of a message. An inline image is one too. */
export type MessagePart = {
  filename: string | null
  contentType: string
  contentId: string | null
  content: Buffer
}

/** Parses the attachments of a complete message, in their order. */
export async function readParts(raw: Buffer): Promise<MessagePart[]> {
  return partsOf(await PostalMime.parse(raw, { forceRfc822Attachments: true }))
}

/** Returns the attachments of a parsed message. */
export function partsOf({ attachments }: Awaited<ReturnType<typeof PostalMime.parse>>): MessagePart[] {
  return attachments.map(({ filename, mimeType, contentId, content }) => ({
    filename,
    contentType: mimeType,
    contentId: contentId ?? null,
    content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
  }))
}
