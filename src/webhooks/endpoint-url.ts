import type { App } from '../context.ts'
import { isLoopbackHost, loopback } from '../platform/egress/loopback.ts'
import { allowList } from '../platform/egress/public-address.ts'
import { readTarget } from '../platform/egress/target.ts'
import { invalid } from '../platform/errors.ts'

const usualForm = /^https:\/\/[^\s\\/][^\s\\]*$/i
const nearForm = /^http:\/\/[^\s\\/][^\s\\]*$/i

/** Throws `invalid` for a URL that cannot be called. Where its name resolves to is checked at each connection. */
export function refuseEndpointUrl(app: App, url: string): void {
  const isNear = isOwnMachine(app, url)
  // The URL parser accepts blanks, line breaks and missing slashes. The URL that is shown must be the one that is
  // called.
  if (!(isNear ? nearForm : usualForm).test(url)) {
    const orNear = app.config.production ? '' : ', or http:// on localhost'
    throw invalid('endpointUrl', `must be an https:// URL without blanks${orNear}`)
  }
  const target = isNear
    ? readTarget(url, { allow: loopback, protocols: ['http:'] })
    : readTarget(url, { allow: allowList(app.config.outboundAllow), protocols: ['https:'] })
  if (target.kind === 'refused') throw invalid('endpointUrl', target.reason)
}

/** True for an `http://` URL of a developer's own machine. In production there is none. */
export function isOwnMachine({ config }: App, text: string): boolean {
  // Most endpoints are https, and a URL takes a while to parse.
  if (config.production || /^https:/i.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return url.protocol === 'http:' && isLoopbackHost(url)
}
