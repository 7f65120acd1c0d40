/** The size of an output as JSON in UTF-8. */
export const outputMaxBytes = 256 * 1024
/** The length of an error, in UTF-16 units. */
const errorMax = 8000

export function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}

/** Cuts a text to 8,000 UTF-16 units, and replaces NUL and lone surrogates, which PostgreSQL refuses. */
export function recordableText(text: string): string {
  return text.slice(0, errorMax).replaceAll('\0', '\ufffd').toWellFormed()
}

/**
 * The input of a node for the history, as JSON, shortened if it is too large. `sizeBytes` is the size of the whole
 * input.
 */
export function recordableInput(input: Record<string, unknown>): { text: string; sizeBytes: number } {
  const text = JSON.stringify(input)
  const sizeBytes = sizeOf(text)
  return { text: sizeBytes > outputMaxBytes ? JSON.stringify({ truncated: true, sizeBytes }) : text, sizeBytes }
}
