import { TextDecoder } from 'node:util'

/** Enough for an error message. A delivery may keep six of them in its row. */
const keptBytes = 1024

/**
 * Returns the beginning of an answer's body as text of at most 1 KiB that PostgreSQL can store. Null for an empty body.
 */
export function answerText(body: Buffer): string | null {
  if (body.length === 0) return null
  // Each byte that is not UTF-8 becomes a character of three bytes, so the text is cut a second time.
  return cut(Buffer.from(cut(body).replaceAll('\0', '\ufffd')))
}

/** Leaves a character out whose bytes are cut off. */
function cut(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, keptBytes), { stream: true })
}
