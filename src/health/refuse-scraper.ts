import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../context.ts'
import { forbidden, unauthenticated } from '../platform/errors.ts'

/**
 * Throws `unauthenticated` or `forbidden` unless the request may read the metrics. It may with `METRICS_TOKEN`. Without
 * a configured token, every request may in development, and only this machine in production.
 */
export function refuseScraper({ metricsToken, production }: Config, request: FastifyRequest): void {
  if (metricsToken !== null) {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(given), digest(metricsToken)))
      throw unauthenticated('Send the METRICS_TOKEN of this server: Authorization: Bearer <token>.')
    return
  }
  if (production && !isLocal(request))
    throw forbidden(
      'Without METRICS_TOKEN, only this machine may read the metrics. Set METRICS_TOKEN and send it: Authorization: Bearer <token>.',
    )
}

/** Tells whether a request comes from this machine itself, not through a proxy on it. */
function isLocal({ ip, ips, headers }: FastifyRequest): boolean {
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  // With TRUST_PROXY the header is trusted, and `ip` is the client.
  if (isPassedOn && ips === undefined) return false
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
