import { isIP } from 'node:net'
import type { App } from '../../../context.ts'
import { hostOf } from '../../egress/target.ts'
import { forbidden } from '../../errors.ts'

/** Names that cannot be registered in public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const unregistered = /(^|\.)(localhost|test|local|internal|home\.arpa)$/

/**
 * Throws `forbidden` for a name in `Host` that is not this server's, except in production. Otherwise a page on the web
 * could lead its own name to 127.0.0.1, and use a developer's server as if it had been opened there. `isTracking`: the
 * route answers under the tracking names of domains, if they are used.
 */
export function refuseForeignHost({ config, publicUrl }: App, given: string | undefined, isTracking: boolean): void {
  if (config.production || given === undefined) return
  if (isTracking && config.trackingSubdomains === 'on') return
  const url = `http://${given}`
  const host = URL.canParse(url) ? hostOf(new URL(url)).replace(/\.$/, '') : given
  // A name without a dot is one of the local network, such as a container's.
  if (isIP(host) !== 0 || !host.includes('.') || unregistered.test(host)) return
  if ([hostOf(new URL(publicUrl())), config.host].includes(host)) return
  throw forbidden(
    `This server does not answer to the host ${JSON.stringify(given.slice(0, 100))}, so that no page on the web can use it. Set PUBLIC_URL to the address that people type.`,
  )
}
