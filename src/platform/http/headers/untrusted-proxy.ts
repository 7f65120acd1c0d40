import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { App } from '../../../context.ts'
import { perApp } from '../../per-app.ts'

/** The most peers to warn about, with one line each, because clients can send these headers too. */
const peersMax = 100

const noticedBy = perApp(() => new Set<string>())

/**
 * Warns once about a peer that sends `X-Forwarded-For` or `Forwarded` and that TRUST_PROXY does not name. Clients
 * behind such a proxy all have its address and share its limits: twenty bad logins of one client lock out all others.
 */
export function noticeUntrustedProxy(app: App, { headers, raw }: FastifyRequest): void {
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
  const peer = raw.socket.remoteAddress
  const peers = noticedBy(app)
  if (!peer || peers.has(peer) || peers.size >= peersMax || isTrusted(app.config.trustProxy, peer)) return
  peers.add(peer)
  app.log.warn(
    { peer },
    `${peer} says for whom it forwards, and is not believed: all its clients count as one. If it is your proxy, start with TRUST_PROXY=${peer}; if not, nothing is to be done.`,
  )
}

function isTrusted(trustProxy: readonly string[], peer: string): boolean {
  if (!ipaddr.isValid(peer)) return true
  const address = ipaddr.process(peer)
  return trustProxy.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}
