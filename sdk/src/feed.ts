import type { FeedEntry } from './api.ts'
import { ConnectionError, PosthornError } from './errors.ts'

export type FeedOptions = {
  /** The id of an entry: what follows it is read. The present if left out. */
  after?: string
  /** Such as `email.bounced`. All types if left out. */
  types?: FeedEntry['type'][]
  /** Adds the `headers` and the `body` that a webhook would be sent, signed. */
  signed?: boolean
  /** The form of a signed `body`: ours if left out, or that of Resend. */
  format?: 'posthorn' | 'resend'
  /** Ends the stream. It then throws the signal's reason. */
  signal?: AbortSignal
  /** Is called at each connection, with the place behind which it reads, and the secret of signed bodies. */
  onReady?: (ready: { id: string; signingSecret?: string }) => void
}

/** An entry of the feed. A signed one has what a webhook would be sent. */
export type StreamedEntry = FeedEntry & { headers?: Record<string, string>; body?: string }

/** Opens the stream behind an entry, or at present. */
type Open = (lastId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** The server sends something each 15 s. A connection that is silent for longer is dead. */
const silenceMaxMs = 45_000
const waitMaxMs = 8000

/** Yields the entries, and goes on behind the last one when the connection ends. Throws a refusal. */
export async function* followFeed(open: Open, { signal, onReady }: FeedOptions): AsyncGenerator<StreamedEntry, void> {
  let lastId: string | undefined
  for (let failures = 0; ; ) {
    const connection = new AbortController()
    const stop = () => connection.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      signal?.throwIfAborted()
      for await (const { id, type, data } of eventsOf(await open(lastId, connection.signal), connection)) {
        failures = 0
        lastId = id ?? lastId
        if (type === 'ready') onReady?.({ id: id!, ...(data as { signingSecret?: string }) })
        else yield data as StreamedEntry
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      connection.abort()
    }
    await sleep(Math.min(500 * 2 ** failures++, waitMaxMs), signal)
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof PosthornError)) return true
  return error instanceof ConnectionError || [408, 429, 502, 503, 504].includes(error.status ?? 0)
}

type ServerEvent = { id: string | undefined; type: string; data: unknown }

async function* eventsOf(body: ReadableStream<Uint8Array>, connection: AbortController): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const timer = setTimeout(() => connection.abort(new Error('The stream fell silent.')), silenceMaxMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const data = field('data')
      if (data !== undefined) yield { id: field('id'), type: field('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', wake)
      resolve()
    }, ms)
    signal?.addEventListener('abort', wake, { once: true })
  })
}
