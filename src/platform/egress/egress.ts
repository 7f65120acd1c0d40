import { Agent, Pool } from 'undici'
import { createLru } from '../lru.ts'
import { createNames } from '../names/names.ts'
import { refuseInsideTransaction } from '../transaction/inside.ts'
import { type ConnectOptions, guardedConnector, type Resolve } from './connect.ts'
import { Connection } from './connection.ts'
import { type Answered, exchange } from './exchange.ts'
import { egressFailure } from './failure.ts'
import { isLoopbackHost, loopback } from './loopback.ts'
import { type AllowList, allowList } from './public-address.ts'
import { readTarget, type Target, type TargetRules } from './target.ts'

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
  /** Asked before each part of the body is kept. False breaks the request off, as `signal` does. */
  hasRoom?: (sizeBytes: number) => boolean
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
  /** Goes to public addresses alone, also where the operator allows others. */
  toPublic?: boolean
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
  // These have connections of their own, so that no other request goes on one of them, and theirs on no other.
  const near = openClient({ ...options, resolve, allow: loopback, reach: 'allowed' })
  const outside = openClient({ ...options, resolve, allow: [], reach: 'public' })
  const clients = [usual, near, outside]
  const clientFor = ({ toLoopback, toPublic }: EgressRequest) => (toLoopback ? near : toPublic ? outside : usual)
  let closed = false
  return {
    async request(request) {
      const { teamId, url: text, timeoutMs, bodyMaxBytes, bodyMaxMs, hasRoom, signal, ...rest } = request
      const { protocols = ['http:', 'https:'] } = request
      refuseInsideTransaction('A call to another host')
      const { agent, targetOf } = clientFor(request)
      const target = targetOf(text, protocols)
      if (target.kind === 'refused') return target
      if (request.toLoopback && !isLoopbackHost(target.url)) return { kind: 'refused', reason: notLoopback }
      let hasLeft = false
      const onLeave = () => {
        hasLeft = true
      }
      try {
        const bounds = { teamId, timeoutMs, bodyMaxBytes, bodyMaxMs, hasRoom, signal, onLeave }
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
      for (const { cut } of clients) cut()
      await Promise.all(clients.map(({ agent }) => agent.destroy()))
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
  return { agent, targetOf: rememberTargets(options.allow), cut: connector.cut }
}

/** A webhook's URL is called thousands of times, and reading one takes as long as signing a delivery. */
function rememberTargets(allow: AllowList): (text: string, protocols: TargetRules['protocols']) => Target {
  const known = createLru<Target>({ countMax: 1000, bytesMax: 1024 * 1024 })
  return (text, protocols) => {
    const key = `${protocols} ${text}`
    const found = known.get(key)
    if (found) return found
    const target = readTarget(text, { allow, protocols })
    known.set(key, target)
    return target
  }
}

function requestOf(url: URL, { method, headers = {}, body = '' }: Pick<EgressRequest, 'method' | 'headers' | 'body'>) {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body: body === '' ? null : body }
}
