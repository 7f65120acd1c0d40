import { Agent, Pool } from 'undici'
import { refuseInsideTransaction } from '../inside.ts'
import { createNames } from '../names/names.ts'
import { guardedConnector, type Resolve } from './connect.ts'
import { Connection } from './connection.ts'
import { type Answered, exchange } from './exchange.ts'
import { failureOf } from './failure.ts'
import { allowList } from './public-address.ts'
import { readTarget } from './target.ts'

export type EgressRequest = {
  /** Whose request it is: the lookup of its host counts as that team's. Left out where the operator named the host. */
  teamId?: string
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For all of it: resolving, connecting, sending, and the last byte of the answer. */
  timeoutMs: number
  /** What is kept of the answer's body; the rest is not read. */
  bodyMaxBytes: number
  /** Both where left out. */
  protocols?: readonly ('http:' | 'https:')[]
  /** Aborted, the request ends at once as one that failed, and its connection is closed. */
  signal?: AbortSignal
}

export type EgressResult =
  | Answered
  /** It may not be called: nothing has been sent. `reason` is a sentence for whoever wrote the URL. */
  | { kind: 'refused'; reason: string }
  /** No whole answer. `hasLeft`: a connection stood, so the request may have arrived; else nothing of it was sent. */
  | { kind: 'failed'; reason: string; hasLeft: boolean }

export type Egress = {
  /** Never throws for what a peer, a resolver or a URL does; only where `close` cut it off. */
  request(request: EgressRequest): Promise<EgressResult>
  close(): Promise<void>
}

export type EgressOptions = {
  /** CIDRs that may be reached although they are not public. */
  allow: readonly string[]
  /** The app's `names` but in tests. */
  resolve?: Resolve
  /** PEM of an authority trusted beside none of the usual ones. */
  ca?: string
  /** Many customers may share a host, so this is only a last bound: callers bound what each of them has under way. */
  connectionsPerOriginMax?: number
}

const connectTimeoutMs = 10_000
/** A connection nobody uses is closed; servers close theirs after 5 s at the earliest (Node's own default). */
const keepAliveTimeoutMs = 4000

/**
 * Requests to wherever customers say. Each origin has its own connections, so that a slow one delays no other; redirects
 * are answers like any other; nothing goes to an address that is not public unless the operator allows it.
 */
export function createEgress(options: EgressOptions): Egress {
  const { allow, resolve = createNames({ servers: [] }).resolve, ca, connectionsPerOriginMax = 2000 } = options
  const allowed = allowList(allow)
  const connector = guardedConnector({
    allow: allowed,
    connectTimeoutMs,
    resolve,
    ...(ca && { ca }),
  })
  let closed = false
  const agent = new Agent({
    factory: (origin, options) =>
      new Pool(origin, { ...options, factory: (url, its) => new Connection(url, its, connector.connect) }),
    connections: connectionsPerOriginMax,
    keepAliveTimeout: keepAliveTimeoutMs,
    allowH2: false,
    // The request's own time bounds these.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async request({ teamId, url: text, timeoutMs, bodyMaxBytes, protocols = ['http:', 'https:'], signal, ...rest }) {
      refuseInsideTransaction('A call to another host')
      const target = readTarget(text, { allow: allowed, protocols })
      if (target.kind === 'refused') return target
      let hasLeft = false
      const onLeave = () => {
        hasLeft = true
      }
      try {
        return await exchange(agent, requestOf(target.url, rest), { teamId, timeoutMs, bodyMaxBytes, signal, onLeave })
      } catch (error) {
        // That is no answer of the other host's.
        if (closed && !signal?.aborted) throw error
        const failure = failureOf(error, timeoutMs)
        return failure.kind === 'refused' ? failure : { ...failure, hasLeft }
      }
    },
    close() {
      closed = true
      connector.cut()
      return agent.destroy()
    },
  }
}

function requestOf(url: URL, { method, headers = {}, body = '' }: Pick<EgressRequest, 'method' | 'headers' | 'body'>) {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body: body === '' ? null : body }
}
