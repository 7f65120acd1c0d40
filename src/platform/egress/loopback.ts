import { allowList, isAllowed } from './public-address.ts'
import { hostOf } from './target.ts'

/** The addresses of this machine alone (RFC 6890). */
export const loopback = allowList(['127.0.0.0/8', '::1/128'])

/** Tells whether the host of a URL is a loopback address, or `localhost`, which is never looked up. */
export function isLoopbackHost(url: URL): boolean {
  const host = hostOf(url)
  return host === 'localhost' || isAllowed(host, loopback)
}
