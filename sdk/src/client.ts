import { Answer, List, type PageBody } from './answer.ts'
import { type NewEmail, type Operations, operations } from './api.ts'
import { type EmailToSend, type Render, writeEmail } from './email.ts'
import { type FeedOptions, followFeed, type StreamedEntry } from './feed.ts'
import { type RequestOptions, send, type Wanted } from './request.ts'

export type ClientOptions = {
  /** The address of the server. `POSTHORN_URL`, or `http://localhost:3000`, if left out. */
  baseUrl?: string
  /** For each attempt; 30,000 if left out. */
  timeoutMs?: number
  /** The most further attempts of a request; 2 if left out. */
  retries?: number
  /** Takes the place of the global `fetch`. */
  fetch?: typeof fetch
  /** Takes the place of `JSON.parse` for answers, such as one that keeps numbers that a double does not hold. */
  parse?: (json: string) => unknown
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Renders what is given as `react` to HTML, such as `render` of `@react-email/render`. */
  render?: Render
}

type Query = Record<string, unknown>
type Id = keyof Operations

type BodyOf<O> = O extends { body: infer B } ? [body: B] : O extends { body?: infer B } ? [body?: B] : []
type QueryOf<O> = O extends { query: infer Q } ? [query: Q] : O extends { query?: infer Q } ? [query?: Q] : []
/** The ids of the path, then the body, or the query if there is no body, then options. */
type Args<K extends Id> = [
  ...Operations[K]['ids'],
  ...(BodyOf<Operations[K]> extends [] ? QueryOf<Operations[K]> : BodyOf<Operations[K]>),
  options?: RequestOptions,
]
type Row<K extends Id> = Operations[K]['answer'] extends { data: (infer R)[] } ? R : never

export type Call<K extends Id> = (...args: Args<K>) => Answer<Operations[K]['answer']>
export type ListCall<K extends Id> = (...args: Args<K>) => List<Row<K>>

/** Returns the method of an operation. */
export type MakeCall = <K extends Id>(id: K) => Call<K>
/** Returns the method of an operation that lists rows. `place` is the parameter that names where a page begins. */
export type MakeList = <K extends Id>(id: K, place?: string) => ListCall<K>

/** Makes requests. Its methods are those of `Posthorn`. */
export class Client {
  readonly #settings: Parameters<typeof send>[0]
  readonly #render: ClientOptions['render']

  /** Without a key it is the environment's `POSTHORN_API_KEY`. */
  constructor(key?: string, options: ClientOptions = {}) {
    const given = (key ?? readEnvironment('POSTHORN_API_KEY'))?.trim()
    if (!given) throw new TypeError("Give an API key, new Posthorn('ph_…'), or set POSTHORN_API_KEY.")
    // fetch refuses such a header as if the server were out of reach.
    if (!/^[\x21-\x7e]+$/.test(given)) throw new TypeError('The API key has a character that no key has.')
    this.#render = options.render
    this.#settings = {
      key: given,
      baseUrl: checkedUrl(options.baseUrl ?? (readEnvironment('POSTHORN_URL') || 'http://localhost:3000')),
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 2,
      headers: options.headers ?? {},
      parse: options.parse ?? JSON.parse,
      fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    }
  }

  /**
   * Requests a path of the API that has no method here, such as one of a newer server. An answer that is not JSON is a
   * text.
   */
  request<T = unknown>(
    method: string,
    path: string,
    { body, query, ...options }: RequestOptions & { body?: unknown; query?: Query } = {},
  ): Answer<T> {
    return this.#answer(() => {
      if (!path.startsWith('/'))
        throw new TypeError(`The path begins with a slash, such as /v1/emails; it was "${path}".`)
      // fetch refuses such a request as if the server were out of reach.
      if (body !== undefined && /^(get|head)$/i.test(method))
        throw new TypeError(`A ${method} has no body: give what it asks for as query.`)
      return { wanted: withoutKey({ method, path: withQuery(path, query), body, reads: 'any' }), options }
    })
  }

  /** Returns an email as the API takes it. */
  protected written(email: EmailToSend): Promise<NewEmail> {
    return writeEmail(email, this.#render)
  }

  protected call<K extends Id>(id: K): Call<K> {
    return (...args) =>
      this.#answer(() => {
        const { wanted, query, options } = read(id, args)
        return { wanted: { ...wanted, path: withQuery(wanted.path, query) }, options }
      })
  }

  protected list<K extends Id>(id: K, place = 'cursor'): ListCall<K> {
    return (...args) =>
      new List(async (cursor) => {
        const { wanted, query, options } = read(id, args)
        const path = withQuery(wanted.path, cursor === null ? query : { ...query, [place]: cursor })
        return send<PageBody<Row<K>>>(this.#settings, { ...wanted, path }, options)
      })
  }

  /** Yields what happens from now on, or behind an entry, over breaks of the connection. */
  protected follow(options: FeedOptions = {}): AsyncGenerator<StreamedEntry, void> {
    const { after, types, signed, format } = options
    const path = withQuery('/v1/feed/stream', { after, types: types?.join(','), signed, format })
    const open = async (lastId: string | undefined, signal: AbortSignal) => {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
      const wanted: Wanted = { method: 'GET', path, reads: 'stream' }
      return (await send<ReadableStream<Uint8Array>>(this.#settings, wanted, { signal, headers, retries: 0 })).data
    }
    return followFeed(open, options, this.#settings.parse)
  }

  /** Performs an operation whose body is made first. */
  protected later<K extends Id>(id: K, body: () => Promise<unknown>, options: RequestOptions = {}) {
    const { wanted } = read(id, [{}])
    const sent = body().then((made) =>
      send<Operations[K]['answer']>(this.#settings, { ...wanted, body: made }, options),
    )
    return new Answer(sent)
  }

  protected perform<T>(wanted: Wanted, options: RequestOptions = {}): Answer<T> {
    return this.#answer(() => ({ wanted: withoutKey(wanted), options }))
  }

  /** A fault of an argument is one of the answer, so that `.result()` returns it. */
  #answer<T>(make: () => { wanted: Wanted; options: RequestOptions }): Answer<T> {
    const made = async () => {
      const { wanted, options } = make()
      return send<T>(this.#settings, wanted, options)
    }
    return new Answer(made())
  }
}

/** Reads the arguments of a method by the row of its operation. */
function read(id: Id, args: unknown[]) {
  const [method = '', path = '', ...words] = operations[id].split(' ')
  const left = [...args]
  const filled = path.replace(/:(\w+)/g, (_, name) => segment(id, name, left.shift()))
  const input = words.includes('body') || words.includes('query') ? left.shift() : undefined
  const reads = words.includes('text') ? 'text' : words.includes('bytes') ? 'bytes' : 'json'
  const wanted: Wanted = {
    method,
    path: filled,
    takesKey: words.includes('key'),
    reads,
    ...(words.includes('body') && { body: input ?? {} }),
  }
  return {
    wanted,
    query: words.includes('query') ? (input as Query | undefined) : undefined,
    options: (left.shift() ?? {}) as RequestOptions,
  }
}

/** Says of a request by path that it takes no key, if its operation is known to take none. */
function withoutKey(wanted: Wanted): Wanted {
  const [asked = ''] = wanted.path.split('?')
  const row = Object.values(operations).find((each) => {
    const [method, path = ''] = each.split(' ')
    return method === wanted.method.toUpperCase() && new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(asked)
  })
  return row && !/ key\b/.test(row) ? { ...wanted, takesKey: false } : wanted
}

/** An empty id would make the path that of the list. `.` and `..` would be resolved away, to that of something else. */
function segment(operation: string, name: string, id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`${operation}: ${name} is ${id === '' ? 'empty' : String(id)}, not an id.`)
  return encodeURIComponent(id)
}

function withQuery(path: string, query: Query = {}): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (named.length === 0) return path
  const texts = named.map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? value.toISOString() : String(value),
  ])
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(texts)}`
}

function checkedUrl(url: string): string {
  if (!/^https?:\/\//.test(url)) throw new TypeError(`baseUrl begins with http:// or https://; it was "${url}".`)
  if (/[?#]/.test(url)) throw new TypeError(`baseUrl has neither a query nor a fragment; it was "${url}".`)
  return url.replace(/\/+$/, '')
}

function readEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
    return process?.env?.[name]
  } catch {
    // Deno asks for a permission, which may be refused.
    return undefined
  }
}
