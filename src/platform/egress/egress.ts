import { Agent, Pool } from 'undici'
import { createNames } from '../names/names.ts'
import { refuseInsideTransaction } from '../transaction/inside.ts'
import { type ConnectOptions, guardedConnector, type Resolve } from './connect.ts'
import { Connection } from './connection.ts'
import { type Answered, exchange } from './exchange.ts'
import { egressFailure } from './failure.ts'
import { isLoopbackHost, loopback } from './loopback.ts'
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
  /**
   * For requests that the status decides: the body is read for this long at most, and what came of it is kept. A body
   * that is cut or does not end is then no failure.
   */
  bodyMaxMs?: number
  /**
   * Goes to this machine alone, which then needs no permission of the operator. The URL must name it as
   * `isLoopbackHost` says.
   */
  toLoopback?: boolean
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
 * Sends requests to addresses that customers name. Each origin has its own connections, so a slow one does not delay
 * others. Redirects are answers like any other. Addresses that are not public are refused unless the operator allows
 * them.
 */
export function createEgress(options: EgressOptions): Egress {
  const { resolve = createNames({ servers: [] }).resolve } = options
  const usual = openClient({ ...options, resolve, allow: allowList(options.allow), reach: 'public' })
  // Has connections of its own, so that no other request goes on one of them.
  const near = openClient({ ...options, resolve, allow: loopback, reach: 'allowed' })
  let closed = false
  return {
    async request(request) {
      const { teamId, url: text, timeoutMs, bodyMaxBytes, bodyMaxMs, signal, toLoopback, ...rest } = request
      const { protocols = ['http:', 'https:'] } = request
      refuseInsideTransaction('A call to another host')
      const { agent, allow } = toLoopback ? near : usual
      const target = readTarget(text, { allow, protocols })
      if (target.kind === 'refused') return target
      if (toLoopback && !isLoopbackHost(target.url)) return { kind: 'refused', reason: notLoopback }
      let hasLeft = false
      const onLeave = () => {
        hasLeft = true
      }
      try {
        const bounds = { teamId, timeoutMs, bodyMaxBytes, bodyMaxMs, signal, onLeave }
        return await exchange(agent, requestOf(target.url, rest), bounds)
      } catch (error) {
        // The error is not an answer of the host.
        if (closed && !signal?.aborted) throw error
        const failure = egressFailure(error, timeoutMs)
        return failure.kind === 'refused' ? failure : { ...failure, hasLeft }
      }
    },
    async close() {
      closed = true
      for (const { cut } of [usual, near]) cut()
      await Promise.all([usual, near].map(({ agent }) => agent.destroy()))
    },
  }
}

const notLoopback = 'The URL cannot be called: its host is not this machine.'

type ClientOptions = Omit<ConnectOptions, 'connectTimeoutMs'> & Pick<EgressOptions, 'connectionsPerOriginMax'>

function openClient({ connectionsPerOriginMax = 2000, ...options }: ClientOptions) {
  const connector = guardedConnector({ ...options, connectTimeoutMs })
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
  return { agent, allow: options.allow, cut: connector.cut }
}

function requestOf(url: URL, { method, headers = {}, body = '' }: Pick<EgressRequest, 'method' | 'headers' | 'body'>) {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body: body === '' ? null : body }
}
