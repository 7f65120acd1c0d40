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
  /** Is called with the place that the stream has reached without an entry of these types. */
  onPlace?: (id: string) => void
}

/** An entry of the feed. A signed one has what a webhook would be sent. */
export type StreamedEntry = FeedEntry & { headers?: Record<string, string>; body?: string }

/** Opens the stream behind an entry, or at present. */
type Open = (lastId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** The server sends something each 15 s. A connection that is silent for longer is dead. */
const silenceMaxMs = 45_000
const waitMaxMs = 8000
/** The longest wait that a server can ask for. */
const askedMaxMs = 60_000
/** Answers of a server that has not served the stream yet are repeated as often as those of a request. */
const openingFailuresMax = 2

/** Yields the entries, and goes on behind the last one when the connection ends. Throws a refusal. */
export async function* followFeed(
  open: Open,
  { signal, onReady, onPlace }: FeedOptions,
  parse: (json: string) => unknown,
): AsyncGenerator<StreamedEntry, void> {
  let lastId: string | undefined
  let wasOpen = false
  for (let failures = 0; ; ) {
    let askedMs = 0
    const connection = new AbortController()
    const stop = () => connection.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      signal?.throwIfAborted()
      const body = await open(lastId, connection.signal).catch((error) => {
        if (!isPassing(error, wasOpen, failures)) throw error
        askedMs = error.retryAfterMs ?? 0
        return null
      })
      for await (const { id, type, data } of body ? eventsOf(body, connection) : []) {
        failures = 0
        wasOpen = true
        lastId = id ?? lastId
        if (data === undefined) {
          onPlace?.(id!)
          continue
        }
        if (type === 'ready') onReady?.({ id: id!, ...(parse(data) as { signingSecret?: string }) })
        else yield parse(data) as StreamedEntry
      }
      signal?.throwIfAborted()
    } finally {
      signal?.removeEventListener('abort', stop)
      connection.abort()
    }
    await sleep(Math.max(Math.min(500 * 2 ** failures++, waitMaxMs), Math.min(askedMs, askedMaxMs)), signal)
  }
}

/**
 * Tells whether a stream is opened again after this failure. A server that has served it may answer otherwise while it
 * starts. One that has not means its answer, such as that too many streams are open.
 */
function isPassing(error: unknown, wasOpen: boolean, failures: number): error is PosthornError {
  if (!(error instanceof PosthornError)) return false
  if (error instanceof ConnectionError) return true
  if (wasOpen && (error.status === 500 || error.name === 'redirected')) return true
  const isMeant = !wasOpen && error.requestId !== null && failures >= openingFailuresMax
  return !isMeant && [408, 429, 502, 503, 504].includes(error.status ?? 0)
}

/** Without data it only says how far the stream has come. */
type ServerEvent = { id: string | undefined; type: string; data: string | undefined }

/** Yields the events of a connection until it ends, breaks or falls silent. */
async function* eventsOf(body: ReadableStream<Uint8Array>, { signal }: AbortController): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  // A body that was made by another `fetch` may not know of the signal.
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const timer = setTimeout(cancel, silenceMaxMs)
    const part = await reader
      .read()
      .catch(() => null)
      .finally(() => clearTimeout(timer))
    if (!part || part.done) return
    text += decoder.decode(part.value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      // Lines end at line feeds only: JSON may hold the other characters that end lines.
      const lines = block.split('\n')
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const [id, data] = [field('id'), field('data')]
      if (id !== undefined || data !== undefined) yield { id, type: field('event') ?? 'message', data }
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
