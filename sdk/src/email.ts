import type { NewEmail } from './api.ts'

/** Bytes, or text in base64. */
export type AttachmentContent = string | Uint8Array | ArrayBuffer | Blob

type Attachment = Omit<NonNullable<NewEmail['attachments']>[number], 'content'> & { content: AttachmentContent }

/** An email to send. Recipients are an address or a list. */
export type EmailToSend = Omit<NewEmail, 'to' | 'cc' | 'bcc' | 'attachments'> & {
  to: string | string[]
  cc?: string | string[]
  bcc?: string | string[]
  attachments?: Attachment[]
  /** Becomes `html` by the `render` of the constructor. */
  react?: unknown
}

export type Render = (react: unknown) => string | Promise<string>

/** Returns the email as the API takes it. */
export async function writeEmail(email: EmailToSend, render: Render | undefined): Promise<NewEmail> {
  const { to, cc, bcc, attachments, react, ...others } = email
  if (react !== undefined && !render)
    throw new TypeError('Give `render` to the constructor, so that `react` can be rendered.')
  return {
    ...others,
    to: [to].flat(),
    ...(cc !== undefined && { cc: [cc].flat() }),
    ...(bcc !== undefined && { bcc: [bcc].flat() }),
    ...(attachments && { attachments: await Promise.all(attachments.map(withBase64)) }),
    ...(react !== undefined && { html: await render!(react) }),
  }
}

async function withBase64(attachment: Attachment) {
  return { ...attachment, content: await base64Of(attachment.content) }
}

async function base64Of(content: AttachmentContent): Promise<string> {
  if (typeof content === 'string') return content
  const bytes = new Uint8Array(content instanceof Blob ? await content.arrayBuffer() : content)
  // A call takes few thousand arguments.
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(parts.join(''))
}
