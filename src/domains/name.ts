import { domainToASCII } from 'node:url'

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** 255 octets on the wire are 253 characters (RFC 1035 2.3.4). */
export const nameLengthMax = 253
/** Letters, marks and digits of any script. domainToASCII would also accept other characters and map them. */
const unicodeName = /^[\p{L}\p{M}\p{N}.-]+$/u

/**
 * A host name of at least two labels in lower case and punycode, the form in which domains are compared. Null for IP
 * addresses, single labels, and names with underscores or blanks. A dot at the end is allowed.
 */
export function normalizeDomainName(text: string): string | null {
  const name = toHostName(text.replace(/\.$/, ''))
  return name?.includes('.') ? name : null
}

/**
 * The full name of a custom return path, which is a label (`bounce`) or a full name under the domain
 * (`bounce.example.com`). Null for anything else, and for the tracking subdomain, whose cname excludes other records.
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

/** The full name of the return path that a domain's settings require. */
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
  // A last label of digits makes it an IPv4 address or similar.
  return isName && !/^\d+$/.test(labels.at(-1)!) ? ascii : null
}

/** True for names reserved by RFC 2606 and RFC 6761, which are never in DNS. */
export function isReservedName(name: string): boolean {
  return /\.(test|example|invalid|localhost)$/.test(name)
}
