import { domainToASCII } from 'node:url'

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** RFC 1035 2.3.4 allows 255 octets on the wire, which is 253 characters. */
export const nameLengthMax = 253
/** Letters, marks and digits of any script: whatever else domainToASCII would map to a name is not taken for one. */
const unicodeName = /^[\p{L}\p{M}\p{N}.-]+$/u

/**
 * A host name of at least two labels in lower case and punycode, as addresses' domains are compared; null for anything
 * else: addresses of hosts, single labels, underscores, blanks. The dot of a fully qualified name may stand at its end.
 */
export function normalizeDomainName(text: string): string | null {
  const name = toHostName(text.replace(/\.$/, ''))
  return name?.includes('.') ? name : null
}

/**
 * The full name of a custom return path, given as a label (`bounce`) or a full name under the domain
 * (`bounce.example.com`); null where it is neither, or the tracking subdomain, whose cname leaves no room for it.
 */
export function returnPathName(text: string, domainName: string): string | null {
  const name = toHostName(text.replace(/\.$/, ''))
  if (!name) return null
  const full = name.includes('.') ? name : `${name}.${domainName}`
  const isUnder = full.endsWith(`.${domainName}`) && full.length <= nameLengthMax
  return isUnder && full !== trackingName(domainName) ? full : null
}

export function trackingName(domainName: string): string {
  return `track.${domainName}`
}

/** The full name of a domain's return path as its settings want it. */
export function wantedReturnPath(domain: { name: string; custom_return_path: string | null }): string {
  const custom = domain.custom_return_path && returnPathName(domain.custom_return_path, domain.name)
  return custom || `send.${domain.name}`
}

function toHostName(text: string): string | null {
  if (text.length > nameLengthMax || !unicodeName.test(text)) return null
  const lower = text.toLowerCase()
  const ascii = /^[a-z0-9.-]+$/.test(lower) && !lower.includes('xn--') ? lower : domainToASCII(lower)
  const labels = ascii.split('.')
  const isName = ascii.length <= nameLengthMax && labels.every((part) => label.test(part))
  // A last label of digits makes it an IPv4 address, or something that looks like one.
  return isName && !/^\d+$/.test(labels.at(-1)!) ? ascii : null
}

/** Reserved by RFC 2606 and RFC 6761, and so never in DNS. */
export function isReservedName(name: string): boolean {
  return /\.(test|example|invalid|localhost)$/.test(name)
}
