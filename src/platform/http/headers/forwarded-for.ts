import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Makes `X-Forwarded-For` a list of addresses before anything reads it. Some proxies write the port of the connection
 * too, which would make each connection a client of its own. An entry that is no address is dropped with those before
 * it, so that the client is the proxy that wrote it.
 */
export function readForwardedFor({ headers }: { headers: IncomingHttpHeaders }): void {
  const given = headers['x-forwarded-for']
  if (given === undefined) return
  const addresses = String(given).split(',').map(withoutPort)
  const known = addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1)
  headers['x-forwarded-for'] = known.join(', ')
}

/** Takes the port off `203.0.113.7:51234`, `[2001:db8::1]:51234` and `[2001:db8::1]`. */
function withoutPort(entry: string): string {
  const [, v6, v4] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry.trim()) ?? []
  return v6 ?? v4 ?? entry.trim()
}
