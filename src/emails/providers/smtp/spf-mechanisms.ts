import { isIPv4, isIPv6 } from 'node:net'
import type { Parser } from '../../../platform/environment/parsers.ts'

/** A receiver follows no more than ten lookups (RFC 7208 4.6.4). */
const mechanismsMax = 10

/** Mechanisms of an SPF record (RFC 7208 5) in lower case, without `all`, which the record adds itself. */
export const spfMechanisms: Parser<string> = {
  must: `up to ${mechanismsMax} SPF mechanisms such as include:relay.example or ip4:192.0.2.1, separated by blanks`,
  parse(value) {
    const terms = value.trim().toLowerCase().split(/\s+/)
    return terms.length <= mechanismsMax && terms.every(isMechanism) ? terms.join(' ') : undefined
  },
}

function isMechanism(term: string): boolean {
  const [, name, value = ''] = /^(include|a|mx|ip4|ip6):(.+)$/.exec(term) ?? []
  if (name === undefined) return false
  if (name === 'ip4' || name === 'ip6') return isNetwork(value, name)
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(value) && value.length <= 253
}

function isNetwork(value: string, name: 'ip4' | 'ip6'): boolean {
  const [address = '', prefix = '0', ...rest] = value.split('/')
  const [isAddress, prefixMax] = name === 'ip4' ? [isIPv4, 32] : [isIPv6, 128]
  return rest.length === 0 && isAddress(address) && /^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixMax
}
