import ipaddr from 'ipaddr.js'

/**
 * Returns what a client is counted as: an IPv4 address itself, an IPv6 address by its /64. An IPv6 customer has at least a
 * /64 (RFC 6177), and would otherwise have as many tries as addresses. Other texts stay as they are.
 */
export function networkOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress
  const address = ipaddr.process(clientAddress)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)}/64`
}
