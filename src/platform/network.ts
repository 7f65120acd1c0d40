import ipaddr from 'ipaddr.js'

/**
 * What one client is counted as: an IPv4 address itself, of IPv6 the /64. A customer there holds one at least
 * (RFC 6177), and would otherwise have as many tries as it has addresses. What is no address stays as it is.
 */
export function networkOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress
  const address = ipaddr.process(clientAddress)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)}/64`
}
