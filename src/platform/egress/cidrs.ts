import ipaddr from 'ipaddr.js'

/** Reads a comma-separated list of addresses and CIDRs as CIDRs. Returns null if one of them is neither. */
export function parseCidrs(list: string): string[] | null {
  const parts = list.split(',').flatMap((part) => part.trim() || [])
  const cidrs = parts.map((part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`))
  return cidrs.every((cidr) => ipaddr.isValidCIDR(cidr)) ? cidrs : null
}
