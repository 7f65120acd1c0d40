import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Tells whether a host is a loopback address (RFC 1122 3.2.1.3, RFC 4291 2.5.3) or the name `localhost`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
