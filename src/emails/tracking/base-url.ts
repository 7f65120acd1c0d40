import type { App } from '../../context.ts'
import { isReservedName, trackingName } from '../../domains/name.ts'
import type { SendingDomain } from '../../domains/queries.ts'

type TrackedDomain = Pick<SendingDomain, 'name' | 'isTrackingVerified'>

/**
 * Where a domain's tracked links lead: here, or to the domain's own tracking subdomain. That one only where the operator
 * says that it is served, since over https it needs a certificate, which only the domain's owner can get.
 */
export function trackingBaseUrl(app: App, { name, isTrackingVerified }: TrackedDomain): string {
  const here = app.publicUrl()
  // Reserved names count as verified in trials, and lead nowhere.
  if (app.config.trackingSubdomains === 'off' || !isTrackingVerified || isReservedName(name)) return here
  const url = new URL(here)
  url.hostname = trackingName(name)
  return url.href.replace(/\/$/, '')
}
