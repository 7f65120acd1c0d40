import ipaddr from 'ipaddr.js'

/** Addresses and CIDRs of a comma-separated list, as CIDRs; null where one of them is neither. */
export function parseCidrs(list: string): string[] | null {
  const parts = list.split(',').flatMap((part) => part.trim() || [])
  const cidrs = parts.map((part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`))
  return cidrs.every((cidr) => ipaddr.isValidCIDR(cidr)) ? cidrs : null
}
