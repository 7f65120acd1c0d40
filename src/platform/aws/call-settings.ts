import type { LookupFunction } from 'node:net'

export type CallSettings = {
  /** Replaces Amazon's endpoint. */
  endpoint: string | null
  /** Replaces the system's lookup. */
  lookup?: LookupFunction
  connectionsMax: number
  connectMs: number
  /** The time without a byte in either direction. */
  idleMs: number
}

/** We close idle connections before Amazon does: a request on one that Amazon closes at that moment would be lost. */
const keepAliveMs = 4000

/** The settings for the library's clients, except the region. */
export function callSettings({ endpoint, lookup, connectionsMax, connectMs, idleMs }: CallSettings) {
  const agent = { keepAlive: true, maxSockets: connectionsMax, timeout: keepAliveMs, ...(lookup && { lookup }) }
  return {
    // The callers decide whether to repeat a message, since they know whether that may send it twice.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, httpsAgent: agent, httpAgent: agent },
    ...(endpoint !== null && { endpoint }),
  }
}
