import { domainToASCII, domainToUnicode } from 'node:url'

const ADDRESS_LENGTH_MAX = 320 // RFC 3696 erratum 1690 wants 254; 64 + @ + 255 is what RFC 5321 4.5.3.1 adds up to
const LOCAL_LENGTH_MAX = 64 // RFC 5321 4.5.3.1.1
const DOMAIN_LENGTH_MAX = 255 // RFC 5321 4.5.3.1.2
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/**
 * Letters, marks and digits of any script. Characters that domainToASCII would map to others (full stops, percent
 * signs) are refused.
 */
const UNICODE_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u

/**
 * True for a bare address: an ASCII dot-atom before the `@`, and after it a host name of at least two labels, which may
 * be in Unicode.
 */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > LOCAL_LENGTH_MAX || text.length > ADDRESS_LENGTH_MAX) return false
  return DOT_ATOM.test(text.slice(0, at)) && toAsciiDomain(text.slice(at + 1)) !== null
}

/**
 * Returns the address without quotes that its local part does not need (RFC 5322 3.4.1): `ada@b.co` for `"ada"@b.co`.
 * Returns any other text as it is.
 */
export function unquoteAddress(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 2 * LOCAL_LENGTH_MAX + 2 || !text.slice(0, at).includes('"')) return text
  const local = wordsOf(text.slice(0, at))?.join('.') ?? ''
  return DOT_ATOM.test(local) ? `${local}${text.slice(at)}` : text
}

const WORD = /"((?:[^"\\]|\\.)*)"|[^".]+/y

/** Returns the words between the dots of a local part, without quotes. Null if it has another form. */
function wordsOf(local: string): string[] | null {
  const words: string[] = []
  for (let at = 0; ; at++) {
    WORD.lastIndex = at
    const match = WORD.exec(local)
    if (!match) return null
    words.push(match[1] === undefined ? match[0] : match[1].replace(/\\(.)/g, '$1'))
    at = WORD.lastIndex
    if (at === local.length) return words
    if (local[at] !== '.') return null
  }
}

/** True for an address whose local part is quoted and needs the quotes, such as `"ada lovelace"@b.co`. */
export function needsQuotes(text: string): boolean {
  const at = text.lastIndexOf('@')
  return /^"(?:[^"\\]|\\.)*"$/.test(text.slice(0, at)) && !isAddress(unquoteAddress(text))
}

/** Returns the domain in lower case and punycode, the form in which domains are compared. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return toAsciiDomain(domain) ?? domain.toLowerCase()
}

/**
 * Returns the whole address in lower case with its domain in punycode. Two addresses with the same form are the same to
 * suppressions and contacts.
 */
export function normalizeAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at === -1 ? address.toLowerCase() : `${address.slice(0, at).toLowerCase()}@${domainOf(address)}`
}

/**
 * Returns the forms in which an address may be stored, in lower case: its domain as given, in punycode and in Unicode.
 */
export function addressForms(address: string): string[] {
  const normalized = normalizeAddress(address)
  const start = normalized.lastIndexOf('@') + 1
  const unicode = normalized.slice(0, start) + domainToUnicode(normalized.slice(start))
  return [...new Set([address, normalized, unicode].map((form) => form.toLowerCase()))]
}

/** Returns each address once, as it was first written. */
export function uniqueAddresses(addresses: string[]): string[] {
  const found = new Map<string, string>()
  for (const address of addresses) {
    const normal = normalizeAddress(address)
    if (!found.has(normal)) found.set(normal, address)
  }
  return [...found.values()]
}

/** Returns the address for SMTP and header lines: its local part unchanged, its domain in punycode. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return isAscii(domain) ? address : `${address.slice(0, at)}@${toAsciiDomain(domain) ?? domain}`
}

/** Returns the name in lower case and punycode, or null if it does not have at least two labels or is an address. */
function toAsciiDomain(domain: string): string | null {
  if (domain.length > DOMAIN_LENGTH_MAX || !UNICODE_DOMAIN.test(domain)) return null
  const lower = domain.toLowerCase()
  const ascii = isAscii(lower) ? lower : domainToASCII(lower)
  if (ascii.length > DOMAIN_LENGTH_MAX) return null
  const labels = ascii.split('.')
  const last = labels.at(-1)!
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(last) ? ascii : null
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}
