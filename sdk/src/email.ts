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

/** Other kinds would become no bytes at all, or zeros, without an error. */
async function withBase64(attachment: Attachment, index: number) {
  const content = attachment.content as unknown
  if (typeof content === 'string') return { ...attachment, content }
  // A Blob of another realm, or of a package, is no instance of ours.
  const given =
    typeof (content as Blob | null)?.arrayBuffer === 'function' ? await (content as Blob).arrayBuffer() : content
  const kind = Object.prototype.toString.call(given).slice(8, -1)
  if (ArrayBuffer.isView(given))
    return { ...attachment, content: base64Of(new Uint8Array(given.buffer, given.byteOffset, given.byteLength)) }
  if (kind.endsWith('ArrayBuffer')) return { ...attachment, content: base64Of(new Uint8Array(given as ArrayBuffer)) }
  throw new TypeError(`attachments[${index}].content is of the kind ${kind}: give bytes, a Blob or base64.`)
}

function base64Of(bytes: Uint8Array): string {
  // A call takes few thousand arguments.
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(parts.join(''))
}
