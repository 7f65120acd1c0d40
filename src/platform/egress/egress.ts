import { Agent } from 'undici'
import { refuseInsideTransaction } from '../inside.ts'
import { guardedConnector, type Resolve } from './connect.ts'
import { failureOf } from './failure.ts'
import { allowList } from './public-address.ts'
import { type Answered, readAnswer } from './read-answer.ts'
import { readTarget } from './target.ts'

export type EgressRequest = {
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
}

export type EgressResult =
  | Answered
  /** It may not be called: nothing has been sent. `reason` is a sentence for whoever wrote the URL. */
  | { kind: 'refused'; reason: string }
  /** No whole answer; the request may or may not have arrived. */
  | { kind: 'failed'; reason: string }

export type Egress = {
  /** Never throws for what a peer, a resolver or a URL does. */
  request(request: EgressRequest): Promise<EgressResult>
  close(): Promise<void>
}

export type EgressOptions = {
  /** CIDRs that may be reached although they are not public. */
  allow: readonly string[]
  resolve?: Resolve
  /** PEM of an authority trusted beside none of the usual ones. */
  ca?: string
  connectionsPerOriginMax?: number
}

const connectTimeoutMs = 10_000
/** A connection nobody uses is closed; servers close theirs after 5 s at the earliest (Node's own default). */
const keepAliveTimeoutMs = 4000

/**
 * Requests to wherever customers say. Each origin has its own connections, so that a slow one delays no other; redirects
 * are answers like any other; nothing goes to an address that is not public unless the operator allows it.
 */
export function createEgress({ allow, resolve, ca, connectionsPerOriginMax = 32 }: EgressOptions): Egress {
  const allowed = allowList(allow)
  const connector = guardedConnector({
    allow: allowed,
    connectTimeoutMs,
    ...(resolve && { resolve }),
    ...(ca && { ca }),
  })
  const agent = new Agent({
    connect: connector.connect,
    connections: connectionsPerOriginMax,
    keepAliveTimeout: keepAliveTimeoutMs,
    pipelining: 1,
    allowH2: false,
    // The request's own time bounds these.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async request({ url: text, timeoutMs, bodyMaxBytes, protocols = ['http:', 'https:'], ...rest }) {
      refuseInsideTransaction('A call to another host')
      const target = readTarget(text, { allow: allowed, protocols })
      if (target.kind === 'refused') return target
      try {
        return await withinTime(timeoutMs, (signal) => ask(agent, target.url, { ...rest, signal }, bodyMaxBytes))
      } catch (error) {
        return failureOf(error, timeoutMs)
      }
    },
    close() {
      connector.cut()
      return agent.destroy()
    },
  }
}

type Asked = Pick<EgressRequest, 'method' | 'headers' | 'body'> & { signal: AbortSignal }

async function ask(agent: Agent, url: URL, { method, headers = {}, body = '', signal }: Asked, bodyMaxBytes: number) {
  const path = url.pathname + url.search
  const answer = await agent.request({
    origin: url.origin,
    path,
    method,
    headers,
    body: body === '' ? null : body,
    signal,
  })
  return readAnswer(answer, bodyMaxBytes)
}

/** The client heeds the signal once a connection stands: the time it takes to make one, or to wait for one, is bounded here. */
function withinTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work(signal).then(resolve, reject)
  })
}
