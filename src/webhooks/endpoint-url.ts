import type { App } from '../context.ts'
import { allowList } from '../platform/egress/public-address.ts'
import { readTarget } from '../platform/egress/target.ts'
import { invalid } from '../platform/errors.ts'

/** Throws `invalid` for a URL that cannot be called. Where its name resolves to is checked at each connection. */
export function refuseEndpointUrl(app: App, url: string): void {
  // The URL parser accepts blanks, line breaks and missing slashes. The URL that is shown must be the one that is called.
  if (!/^https:\/\/[^\s\\/][^\s\\]*$/i.test(url)) throw invalid('endpointUrl', 'must be an https:// URL without blanks')
  const target = readTarget(url, { allow: allowList(app.config.outboundAllow), protocols: ['https:'] })
  if (target.kind === 'refused') throw invalid('endpointUrl', target.reason)
}
