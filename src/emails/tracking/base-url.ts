import type { App } from '../../context.ts'
import { isReservedName, trackingName } from '../../domains/name.ts'
import type { SendingDomain } from '../../domains/queries.ts'

type TrackedDomain = Pick<SendingDomain, 'name' | 'isTrackingVerified'>

/**
 * Returns the base of a domain's tracked links: this installation, or the domain's tracking subdomain if it is verified
 * and the operator serves it. Over https it needs a certificate, which only the domain's owner can get.
 */
export function trackingBaseUrl(app: App, { name, isTrackingVerified }: TrackedDomain): string {
  const here = app.publicUrl()
  // Reserved names count as verified in trials, but do not resolve.
  if (app.config.trackingSubdomains === 'off' || !isTrackingVerified || isReservedName(name)) return here
  const url = new URL(here)
  url.hostname = trackingName(name)
  return url.href.replace(/\/$/, '')
}
