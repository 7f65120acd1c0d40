import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import { forbidden, unauthenticated } from '../platform/errors.ts'

/**
 * Lets the holder of `METRICS_TOKEN` read the metrics, which tell of volumes and failures. Without a token,
 * everybody while developing, and in production this machine alone. Throws `unauthenticated` or `forbidden`.
 */
export function refuseScraper({ metricsToken, production }: Config, request: FastifyRequest): void {
  if (metricsToken !== null) {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(given), digest(metricsToken)))
      throw unauthenticated('Send the METRICS_TOKEN of this server: Authorization: Bearer <token>.')
    return
  }
  if (production && !isLocal(request))
    throw forbidden('Metrics are for this machine alone. Set METRICS_TOKEN and send it: Authorization: Bearer <token>.')
}

/** A proxy on this machine passes on strangers, and says so. */
function isLocal({ ip, ips, headers }: FastifyRequest): boolean {
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  // With TRUST_PROXY the header is believed, and `ip` is the client.
  if (isPassedOn && ips === undefined) return false
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
