import { type Answer, List, type PageBody } from '../../sdk/src/answer.ts'
import { Posthorn } from '../../sdk/src/posthorn.ts'
import type { RequestOptions, Wanted } from '../../sdk/src/request.ts'
import { parseExactly } from '../../src/platform/numbers/exact-number.ts'
import type { Connection } from './connection.ts'
import type { Io } from './io.ts'

/** Returns the time limit of a request by the bytes that it sends: 30 s, and 1 s more for each 50 kB. */
export function limitOfUpload(bytes: number): { timeoutMs: number } {
  return { timeoutMs: 30_000 + bytes / 50 }
}

/** The SDK's client, which keeps all digits and also performs what the command line's own table describes. */
export class Client extends Posthorn {
  constructor({ url, key }: Pick<Connection, 'url' | 'key'>, { fetch }: Pick<Io, 'fetch'>) {
    super(key, { baseUrl: url, parse: parseExactly, ...(fetch && { fetch }) })
  }

  run<T = unknown>(wanted: Wanted, options?: RequestOptions): Answer<T> {
    return this.perform<T>(wanted, options)
  }

  /** Lists the rows of a path whose query has no cursor yet. */
  rows<T>(path: string, query: Record<string, string> = {}): List<T> {
    return new List<T>((cursor) => {
      const given = new URLSearchParams({ ...query, ...(cursor !== null && { cursor }) })
      const wanted: Wanted = { method: 'GET', path: given.size > 0 ? `${path}?${given}` : path }
      return this.run<PageBody<T>>(wanted).withResponse()
    })
  }
}
