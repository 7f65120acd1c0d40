import { allowList, isAllowed } from './public-address.ts'
import { hostOf } from './target.ts'

/** The addresses of this machine alone (RFC 6890). */
export const loopback = allowList(['127.0.0.0/8', '::1/128'])

/** Tells whether a host is a loopback address, or `localhost`, which is never looked up. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isAllowed(host, loopback)
}

/** The same for the host of a URL. */
export function isLoopbackHost(url: URL): boolean {
  return isLoopback(hostOf(url))
}
