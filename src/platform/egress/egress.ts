import { Agent, Pool } from 'undici'
import { refuseInsideTransaction } from '../inside.ts'
import { createNames } from '../names/names.ts'
import { guardedConnector, type Resolve } from './connect.ts'
import { Connection } from './connection.ts'
import { type Answered, exchange } from './exchange.ts'
import { egressFailure } from './failure.ts'
import { allowList } from './public-address.ts'
import { readTarget } from './target.ts'

export type EgressRequest = {
  /** The team whose share the lookup of the host counts against. Left out if the operator named the host. */
  teamId?: string
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Buffer
  /** The limit for the whole request: resolving, connecting, sending, and reading the answer to its last byte. */
  timeoutMs: number
  /** The bytes of the answer's body that are read and kept. */
  bodyMaxBytes: number
  /** The allowed protocols; both if left out. */
  protocols?: readonly ('http:' | 'https:')[]
  /** Aborting it ends the request at once as failed and closes its connection. */
  signal?: AbortSignal
}

export type EgressResult =
  | Answered
  /** The URL may not be called, and nothing was sent. `reason` is a sentence for the author of the URL. */
  | { kind: 'refused'; reason: string }
  /** No complete answer. `hasLeft` is true if a connection was made, so that the request may have arrived. */
  | { kind: 'failed'; reason: string; hasLeft: boolean }

export type Egress = {
  /** Sends a request. Throws only if `close` ended it, not for faults of peers, resolvers or URLs. */
  request(request: EgressRequest): Promise<EgressResult>
  close(): Promise<void>
}

export type EgressOptions = {
  /** CIDRs that may be reached although they are not public. */
  allow: readonly string[]
  /** The app's `names`, except in tests. */
  resolve?: Resolve
  /** The PEM of the one authority to trust in place of the usual ones. */
  ca?: string
  /** An outer limit only, because customers may share a host: callers limit the requests of each customer. */
  connectionsPerOriginMax?: number
}

const connectTimeoutMs = 10_000
/** Idle connections are closed after this. Servers close theirs after 5 s at the earliest (Node's default). */
const keepAliveTimeoutMs = 4000

/**
 * Sends requests to addresses that customers name. Each origin has its own connections, so a slow one does not delay others.
 * Redirects are answers like any other. Addresses that are not public are refused unless the operator allows them.
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
    // The time limit of the request covers these.
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
        // The error is not an answer of the host.
        if (closed && !signal?.aborted) throw error
        const failure = egressFailure(error, timeoutMs)
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
