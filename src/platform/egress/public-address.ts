import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The entries of IANA's IPv4 special-purpose registry that are not globally reachable, with multicast and class E. */
const hiddenV4 = networks([
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and with it the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, withdrawn
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast
])

/**
 * Addresses whose last 32 bits are an IPv4 address, to which a NAT64 forwards (RFC 6052). With DNS64 each name that has
 * no IPv6 address gets one of these.
 */
const nat64 = networks(['64:ff9b::/96'])

/**
 * The block from which IPv6 addresses are allocated (RFC 4291 2.4). Other addresses that embed an IPv4 address lie
 * outside it, except those of Teredo and 6to4.
 */
const givenOutV6 = networks(['2000::/3'])

const hiddenV6 = networks([
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])

/** The CIDRs of `allow` may be reached although they are not public. */
export type AllowList = readonly Network[]

export function allowList(cidrs: readonly string[]): AllowList {
  return networks(cidrs)
}

/**
 * Tells whether requests may go to an address: a public one, or one of `allow`. `address` is an IPv4 or IPv6 literal as
 * resolvers and URL parsers give it; any other text may not be reached.
 */
export function mayReach(address: string, allow: AllowList): boolean {
  if (!ipaddr.isValid(address)) return false
  return isAllowed(address, allow) || isPublic(ipaddr.parse(address))
}

/** Tells whether the operator opened the network of an address. */
export function isAllowed(address: string, allow: AllowList): boolean {
  return ipaddr.isValid(address) && isWithin(plain(ipaddr.parse(address)), allow)
}

/** Returns the IPv4 address of a mapped one, because the operating system connects to that. */
function plain(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : beyondNat64(address)
}

/** Returns the IPv4 address that a NAT64 connects to, so that none hides in another form. */
function beyondNat64(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return isWithin(address, nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

function isPublic(given: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const address = beyondNat64(given)
  if (address.kind() === 'ipv4') return !isWithin(address, hiddenV4)
  return isWithin(address, givenOutV6) && !isWithin(address, hiddenV6)
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, list: readonly Network[]): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

function networks(cidrs: readonly string[]): Network[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr) as Network)
}
