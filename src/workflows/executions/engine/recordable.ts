/** Of an output, as JSON in UTF-8. */
export const outputMaxBytes = 256 * 1024
/** UTF-16 units of an error. */
const errorMax = 8000

export function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}

/** What PostgreSQL takes as text: without NUL and half characters, and not endless. */
export function recordableText(text: string): string {
  return text.slice(0, errorMax).replaceAll('\0', '\ufffd').toWellFormed()
}

/** What a node was run with, for its history only: a run that is repeated makes it anew. `sizeBytes` is that of the whole. */
export function recordableInput(input: Record<string, unknown>): { text: string; sizeBytes: number } {
  const text = JSON.stringify(input)
  const sizeBytes = sizeOf(text)
  return { text: sizeBytes > outputMaxBytes ? JSON.stringify({ truncated: true, sizeBytes }) : text, sizeBytes }
}
