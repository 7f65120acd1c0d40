import type { Received } from './answer.ts'
import { ConnectionError, errorOf, PosthornError, TimeoutError } from './errors.ts'

type Settings = {
  key: string
  baseUrl: string
  timeoutMs: number
  retries: number
  headers: Record<string, string>
  parse: (json: string) => unknown
  fetch: typeof fetch
}

export type RequestOptions = {
  /** Ends the request. It then throws the signal's reason. */
  signal?: AbortSignal
  /** For each attempt. None from 24.8 days on, as with `Infinity`. */
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
  /** The request takes an `Idempotency-Key`. Not known if left out. */
  takesKey?: boolean
  /** The form of a success. `json` if left out. */
  reads?: Reads
}

/** `any` is JSON, or the text of an answer that has another type. */
type Reads = 'json' | 'any' | 'text' | 'bytes' | 'stream'

const repeated = [408, 429, 502, 503, 504]
const redirects = [301, 302, 303, 307, 308]
const longestWaitMs = 60_000

/** Sends a request, and repeats it where that cannot do a thing twice. */
export async function send<T>(settings: Settings, wanted: Wanted, options: RequestOptions): Promise<Received<T>> {
  const headers = headersOf(settings, wanted, options)
  const hasKey = headers.has('idempotency-key') && wanted.takesKey !== false
  const isSafe = hasKey || ['GET', 'PATCH', 'DELETE'].includes(wanted.method)
  const request = {
    method: wanted.method,
    headers,
    // A key goes to the named server only.
    redirect: 'manual' as const,
    ...(wanted.body !== undefined && { body: JSON.stringify(wanted.body) }),
  }
  const retries = options.retries ?? settings.retries
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce<T>(settings, wanted, request, options)
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

async function sendOnce<T>(
  settings: Settings,
  { method, path, reads }: Wanted,
  request: RequestInit,
  options: RequestOptions,
): Promise<Received<T>> {
  const timeout = new AbortController()
  const timer = timerOf(options.timeoutMs ?? settings.timeoutMs, () => timeout.abort())
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal
  const place = `${method} ${settings.baseUrl}${path.split('?')[0]}`
  // Browsers and edge runtimes refuse to run their fetch as a method of another object.
  const { fetch } = settings
  try {
    const response = await fetch(settings.baseUrl + path, { ...request, signal })
    const { status, headers } = response
    if (response.type === 'opaqueredirect' || redirects.includes(status)) throw redirected(place, response)
    if (!response.ok) throw errorOf(response, readJson(settings.parse, await response.text()))
    return {
      data: (await dataOf(settings.parse, place, response, reads)) as T,
      headers,
      status,
      requestId: headers.get('x-request-id'),
    }
  } catch (error) {
    if (error instanceof PosthornError) throw error
    options.signal?.throwIfAborted()
    if (timeout.signal.aborted)
      throw new TimeoutError(`${place} took too long.`, { status: null, name: 'timeout', cause: error })
    throw new ConnectionError(`${place} got no answer.`, { status: null, name: 'connection_error', cause: error })
  } finally {
    // A stream lasts for longer than its beginning may take.
    clearTimeout(timer)
  }
}

/** The longest time of a timer, 24.8 days. A longer one would run at once. */
const timerMaxMs = 2 ** 31 - 1

function timerOf(ms: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms > timerMaxMs ? undefined : setTimeout(run, ms)
}

/** Returns the error of an answer that redirects to another URL. A browser does not tell the URL. */
function redirected(place: string, response: Response): PosthornError {
  void response.body?.cancel().catch(() => {})
  const location = response.headers.get('location')
  const target = location ? ` to ${location.split('?')[0]}` : ''
  return new PosthornError(`${place} was redirected${target}. Give the URL of the Posthorn server.`, {
    status: response.status || null,
    name: 'redirected',
  })
}

function headersOf(settings: Settings, { body, takesKey }: Wanted, { idempotencyKey, headers: given }: RequestOptions) {
  const headers = new Headers({ authorization: `Bearer ${settings.key}` })
  if (body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of [...Object.entries(settings.headers), ...Object.entries(given ?? {})])
    headers.set(name, value)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  else if (takesKey && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID())
  return headers
}

async function dataOf(
  parse: Settings['parse'],
  place: string,
  response: Response,
  reads: Reads = 'json',
): Promise<unknown> {
  if (reads === 'stream') return response.body
  if (reads === 'bytes') return new Uint8Array(await response.arrayBuffer())
  const text = await response.text()
  if (reads === 'text') return text
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  if (reads === 'any' && !isJson) return text
  try {
    return parse(text)
  } catch {
    throw new PosthornError(`${place} was not answered as JSON. Is that the URL of a Posthorn server?`, {
      status: response.status,
      name: 'not_json',
      requestId: response.headers.get('x-request-id'),
      body: text,
    })
  }
}

/** Returns the text itself if it is not JSON, as a proxy in front of the server may answer. */
function readJson(parse: Settings['parse'], text: string): unknown {
  try {
    return parse(text)
  } catch {
    return text
  }
}
