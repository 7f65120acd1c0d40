import ipaddr from 'ipaddr.js'

/**
 * Returns the network for which a client is counted: an IPv4 address, or the /64 of an IPv6 address. An IPv6 customer
 * has at least a /64 (RFC 6177), and would otherwise have as many tries as addresses. Other texts are returned
 * unchanged.
 */
export function networkOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress
  const address = ipaddr.process(clientAddress)
  if (address.kind() === 'ipv4') return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)}/64`
}

/**
 * Returns the address of a client as it is kept: whole, or with `CLIENT_ADDRESSES=networks` its network, the /24 of an
 * IPv4 and the
 * /48 of an IPv6 address, which a provider gives to a site (RFC 6177). Other texts are returned unchanged.
 */
export function keptAddress(
  { clientAddresses }: { clientAddresses: 'whole' | 'networks' },
  clientAddress: string,
): string {
  if (clientAddresses === 'whole' || !ipaddr.isValid(clientAddress)) return clientAddress
  const address = ipaddr.process(clientAddress)
  if (address.kind() === 'ipv4') return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/48`)}/48`
}
