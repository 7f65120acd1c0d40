import type { LookupFunction } from 'node:net'

export type CallSettings = {
  /** In place of Amazon's own. */
  endpoint: string | null
  /** In place of the system's. */
  lookup?: LookupFunction
  connectionsMax: number
  connectMs: number
  /** Without a byte in either direction. */
  idleMs: number
}

/** Ours closes first: a request on a connection that Amazon closes that moment would be lost without an answer. */
const keepAliveMs = 4000

/** For the library's clients, all but the region. */
export function callSettings({ endpoint, lookup, connectionsMax, connectMs, idleMs }: CallSettings) {
  const agent = { keepAlive: true, maxSockets: connectionsMax, timeout: keepAliveMs, ...(lookup && { lookup }) }
  return {
    // Whether a message is repeated is decided by who knows whether that may send it twice.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, httpsAgent: agent, httpAgent: agent },
    ...(endpoint !== null && { endpoint }),
  }
}
