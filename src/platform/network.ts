import ipaddr from 'ipaddr.js'

/**
 * Returns the network for which a client is counted: an IPv4 address, or the /64 of an IPv6 address. An IPv6 customer has at
 * least a /64 (RFC 6177), and would otherwise have as many tries as addresses. Other texts are returned unchanged.
 */
export function networkOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress
  const address = ipaddr.process(clientAddress)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)}/64`
}
