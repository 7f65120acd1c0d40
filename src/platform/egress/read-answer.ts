import type { Dispatcher } from 'undici'

export type Answered = {
  kind: 'answered'
  status: number
  /** Names in lower case; of a repeated one the values joined by a comma and a blank. */
  headers: Record<string, string>
  body: Buffer
  /** The body went on beyond what is kept. */
  truncated: boolean
}

/** Throws where the connection breaks or the time runs out before the end of the body. */
export async function readAnswer(answer: Dispatcher.ResponseData, bodyMaxBytes: number): Promise<Answered> {
  const chunks: Buffer[] = []
  let left = bodyMaxBytes
  let truncated = false
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left))
    truncated = chunk.length > left
    left -= Math.min(left, chunk.length)
    // Leaving the loop destroys the stream, and with it the connection.
    if (truncated) break
  }
  return {
    kind: 'answered',
    status: answer.statusCode,
    headers: headersOf(answer),
    body: Buffer.concat(chunks),
    truncated,
  }
}

function headersOf({ headers }: Dispatcher.ResponseData): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}
