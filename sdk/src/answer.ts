import { PosthornError } from './errors.ts'

/** A success with what came around it. */
export type Received<T> = { data: T; headers: Headers; status: number; requestId: string | null }

export type Result<T> = { data: T; error: null } | { data: null; error: PosthornError }

/** A request that is under way. Awaited, it is the resource. */
export class Answer<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Promise'
  readonly #received: Promise<Received<T>>

  constructor(received: Promise<Received<T>>) {
    this.#received = received
  }

  /** Resolves with the resource, and with the headers, status and request id of the answer. */
  withResponse(): Promise<Received<T>> {
    return this.#received
  }

  /** Resolves with `{ data, error }` and never throws. What is no refusal or failure is the `cause` of its error. */
  result(): Promise<Result<T>> {
    return this.#received.then(
      ({ data }) => ({ data, error: null }),
      (error) => ({ data: null, error: error instanceof PosthornError ? error : notMade(error) }),
    )
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting an answer gives the resource
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#received.then(({ data }) => data).then(onData, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd)
  }
}

export type PageBody<T> = { data: T[]; cursor: string | null; hasMore: boolean; total?: number }

/** Returns the error of a request that was aborted, or that could not be made. */
function notMade(cause: unknown): PosthornError {
  return new PosthornError(cause instanceof Error ? cause.message : String(cause), {
    status: null,
    name: 'not_made',
    cause,
  })
}

/** A page of a list. `next()` is the following one, or null after the last. */
export type Page<T> = PageBody<T> & { next(): Promise<Page<T> | null> }

/** A list: awaited, it is its first page; iterated with `for await`, all its rows. */
export class List<T> extends Answer<Page<T>> implements AsyncIterable<T> {
  constructor(load: (cursor: string | null) => Promise<Received<PageBody<T>>>) {
    super(pageAt(load, null))
  }

  /** Returns the rows in one array, at most `max`. */
  async all({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}): Promise<T[]> {
    const rows: T[] = []
    // The first page is under way, and its refusal must reach the caller.
    if (max <= 0) await this
    else for await (const row of this) if (rows.push(row) >= max) break
    return rows
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: Page<T> | null = await this
    while (page) {
      yield* page.data
      page = await page.next()
    }
  }
}

async function pageAt<T>(
  load: (cursor: string | null) => Promise<Received<PageBody<T>>>,
  cursor: string | null,
): Promise<Received<Page<T>>> {
  const { data: body, ...around } = await load(cursor)
  const next = async () => (!body.hasMore || body.cursor === null ? null : (await pageAt(load, body.cursor)).data)
  return { ...around, data: { ...body, next } }
}
