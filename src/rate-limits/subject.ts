import ipaddr from 'ipaddr.js'
import type { Caller } from '../context.ts'

/** Whose window a request counts in: an API key's, a user's, or without either the client address's. */
export function subjectOf(caller: Caller | null, address: string): string {
  return caller ? `${caller.kind}:${caller.id}` : `address:${networkOf(address)}`
}

/** One customer of an IPv6 provider holds a whole /64 (RFC 6177), and so counts as one address. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}
