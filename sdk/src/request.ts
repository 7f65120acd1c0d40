import type { Received } from './answer.ts'
import { ConnectionError, errorOf, PosthornError, TimeoutError } from './errors.ts'

type Settings = {
  key: string
  baseUrl: string
  timeoutMs: number
  retries: number
  headers: Record<string, string>
  fetch: typeof fetch
}

export type RequestOptions = {
  /** Ends the request. It then throws the signal's reason. */
  signal?: AbortSignal
  /** For each attempt. */
  timeoutMs?: number
  /** The most further attempts. */
  retries?: number
  /** Requests that take a key and are given none have a random one, the same in all attempts. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

export type Wanted = {
  method: string
  /** With its query. */
  path: string
  /** What is sent as JSON. */
  body?: unknown
  /** The request takes an `Idempotency-Key`. */
  takesKey?: boolean
  /** The form of a success. `json` if left out. */
  reads?: 'json' | 'text' | 'bytes' | 'stream'
}

const repeated = [408, 429, 502, 503, 504]
const longestWaitMs = 60_000

/** Sends a request, and repeats it where that cannot do a thing twice. */
export async function send<T>(settings: Settings, wanted: Wanted, options: RequestOptions): Promise<Received<T>> {
  const key = options.idempotencyKey ?? (wanted.takesKey ? crypto.randomUUID() : undefined)
  const isSafe = key !== undefined || ['GET', 'PATCH', 'DELETE'].includes(wanted.method)
  const retries = options.retries ?? settings.retries
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce<T>(settings, wanted, { ...options, ...(key !== undefined && { idempotencyKey: key }) })
    } catch (error) {
      options.signal?.throwIfAborted()
      const waitMs = isSafe && attempt < retries ? waitBefore(error, attempt) : null
      if (waitMs === null) throw error
      await sleep(waitMs, options.signal)
    }
  }
}

/** Returns how long to wait before the next attempt; null if there should be none. */
function waitBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof PosthornError)) return null
  const isPassing = error instanceof ConnectionError || repeated.includes(error.status ?? 0)
  if (!isPassing || (error.retryAfterMs ?? 0) > longestWaitMs) return null
  return error.retryAfterMs ?? Math.min(500 * 2 ** attempt, 8000) * (0.5 + Math.random() / 2)
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

async function sendOnce<T>(settings: Settings, wanted: Wanted, options: RequestOptions): Promise<Received<T>> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs ?? settings.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal
  try {
    const response = await settings.fetch(settings.baseUrl + wanted.path, {
      method: wanted.method,
      headers: headersOf(settings, wanted, options),
      signal,
      ...(wanted.body !== undefined && { body: JSON.stringify(wanted.body) }),
    })
    const { status, headers } = response
    if (!response.ok) throw errorOf(response, readJson(await response.text()))
    const data = (await dataOf(response, wanted.reads)) as T
    return { data, headers, status, requestId: headers.get('x-request-id') }
  } catch (error) {
    if (error instanceof PosthornError) throw error
    options.signal?.throwIfAborted()
    const { method, path } = wanted
    const place = `${method} ${settings.baseUrl}${path.split('?')[0]}`
    if (timeout.signal.aborted)
      throw new TimeoutError(`${place} took too long.`, { ...noAnswer('timeout'), cause: error })
    throw new ConnectionError(`${place} got no answer.`, { ...noAnswer('connection_error'), cause: error })
  } finally {
    // A stream lasts for longer than its beginning may take.
    clearTimeout(timer)
  }
}

function noAnswer(name: string) {
  return { status: null, name }
}

function headersOf(settings: Settings, { body }: Wanted, { idempotencyKey, headers }: RequestOptions) {
  return {
    authorization: `Bearer ${settings.key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...settings.headers,
    ...headers,
  }
}

async function dataOf(response: Response, reads: Wanted['reads'] = 'json'): Promise<unknown> {
  if (reads === 'stream') return response.body
  if (reads === 'bytes') return new Uint8Array(await response.arrayBuffer())
  if (reads === 'text') return response.text()
  return response.json()
}

/** Returns the text itself if it is not JSON, as a proxy in front of the server may answer. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
