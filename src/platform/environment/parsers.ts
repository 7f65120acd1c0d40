import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The form of one kind of environment value. `parse` returns undefined for a value that it does not accept; `fault` may
 * say in a sentence which part is wrong, without quoting a secret.
 */
export type Parser<T> = {
  must: string
  secret?: boolean
  parse(value: string): T | undefined
  fault?(value: string): string | null
}

export const text: Parser<string> = { must: 'a text', parse: (value) => value }

/** A name whose last part is only digits would be an address that is misspelt. */
export const host: Parser<string> = {
  must: 'an IP address of this machine, or its name',
  parse: (value) =>
    isIP(value) !== 0 || /^(?!.*(^|\.)\d+$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) ? value : undefined,
}

export const port: Parser<number> = { must: 'a port from 0 to 65535', parse: (value) => whole(value, 0, 65535) }

export const portOrOff: Parser<number | 'off'> = {
  must: 'a port from 0 to 65535, or off',
  parse: (value) => (value === 'off' ? 'off' : whole(value, 0, 65535)),
}

/** A port as others see it, where 0 has no meaning. */
export const shownPortOrOff: Parser<number | 'off'> = {
  must: 'a port from 1 to 65535, or off',
  parse: (value) => (value === 'off' ? 'off' : whole(value, 1, 65535)),
}

export const positiveInteger: Parser<number> = {
  must: 'a whole number from 1 to 100000000',
  parse: (value) => whole(value, 1, 100_000_000),
}

/** A number of days, at most a hundred years. */
export function days(least: number): Parser<number> {
  return { must: `a whole number of days from ${least} to 36500`, parse: (value) => whole(value, least, 36_500) }
}

function whole(value: string, least: number, most: number): number | undefined {
  if (!/^\d{1,9}$/.test(value)) return undefined
  const number = Number(value)
  return number >= least && number <= most ? number : undefined
}

export function oneOf<T extends string>(...choices: T[]): Parser<T> {
  return { must: `one of ${choices.join(', ')}`, parse: (value) => choices.find((choice) => choice === value) }
}

export function setOf<T extends string>(...choices: T[]): Parser<readonly T[]> {
  const parse = (value: string) => {
    const parts = new Set(value.split(',').map((part) => part.trim()))
    const known = choices.filter((choice) => parts.has(choice))
    return known.length === parts.size ? known : undefined
  }
  return { must: `a comma-separated choice of ${choices.join(', ')}`, parse }
}

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `500ms`, `5s` or `2h`, in milliseconds. */
export const duration: Parser<number> = {
  must: 'a duration such as 500ms, 5s, 30m or 2h',
  parse(value) {
    const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value.trim())
    return match ? Number(match[1]) * unitsMs[match[2] as keyof typeof unitsMs] : undefined
  },
}

/** A duration within bounds, which `must` names. */
export function durationFrom(leastMs: number, mostMs: number, words: string): Parser<number> {
  const parse = (value: string) => {
    const ms = duration.parse(value)
    return ms !== undefined && ms >= leastMs && ms <= mostMs ? ms : undefined
  }
  return { must: `a duration ${words}, such as 30s`, parse }
}

export const durations: Parser<readonly number[]> = {
  must: 'a comma-separated list of durations such as 5m,30m,2h',
  parse(value) {
    const parts = value.split(',').map((part) => duration.parse(part))
    return parts.every((part) => part !== undefined) ? parts : undefined
  },
}

/** Without a slash at the end. */
export const webUrl: Parser<string> = {
  must: 'an absolute http:// or https:// URL without query',
  parse(value) {
    if (!URL.canParse(value)) return undefined
    const url = new URL(value)
    if (!['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) return undefined
    return url.href.replace(/\/+$/, '')
  },
}

/** On one line, since it goes into a file of lines. */
export const contact: Parser<string> = {
  must: 'a mailto: or https: address',
  parse: (value) => (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/.test(value) ? value : undefined),
}

/** A URL that may contain a password, and is therefore never shown. */
export function urlOf(form: string, ...schemes: string[]): Parser<string> {
  const known = (value: string) => URL.canParse(value) && schemes.includes(new URL(value).protocol)
  return { must: form, secret: true, parse: (value) => (known(value) ? value : undefined) }
}

/** Comma-separated. Blanks around the values are ignored. */
export const words: Parser<readonly string[]> = {
  must: 'a comma-separated list',
  parse: (value) => value.split(',').flatMap((part) => part.trim() || []),
}

export const secret: Parser<string> = { must: 'a text', secret: true, parse: (value) => value }

/** One word, for a header. */
export const token: Parser<string> = {
  must: 'at least 16 letters, digits and other visible ASCII characters',
  secret: true,
  parse: (value) => (/^[\x21-\x7e]{16,}$/.test(value) ? value : undefined),
}

export const longSecret: Parser<string> = {
  must: 'at least 32 bytes',
  secret: true,
  parse: (value) => (Buffer.byteLength(value) >= 32 ? value : undefined),
}

const secretsMax = 5

/** A value that does not split into secrets of full length is one secret, which may contain commas. */
export const longSecrets: Parser<readonly string[]> = {
  must: `up to ${secretsMax} secrets of at least 32 bytes each, separated by commas`,
  secret: true,
  parse(value) {
    if (value === '') return []
    const isLong = (text: string) => Buffer.byteLength(text) >= 32
    const parts = value.split(',').map((part) => part.trim())
    if (parts.every(isLong)) return parts.length <= secretsMax ? parts : undefined
    return isLong(value) ? [value] : undefined
  },
}

export const cidrs: Parser<readonly string[]> = {
  must: 'a comma-separated list of addresses or CIDRs such as 10.0.0.0/8,::1',
  parse: (value) => parseCidrs(value) ?? undefined,
}

function isServer(text: string): boolean {
  const form = /^(?:\[(.+)\](?::(\d{1,5}))?|(\d+\.\d+\.\d+\.\d+)(?::(\d{1,5}))?|([0-9a-f:]+))$/i.exec(text)
  if (!form) return false
  const [, inBrackets, port6, ipv4, port4, ipv6] = form
  const given = Number(port6 ?? port4 ?? 53)
  return isIP(inBrackets ?? ipv4 ?? ipv6 ?? '') !== 0 && given >= 1 && given <= 65_535
}

export const dnsServers: Parser<readonly string[]> = {
  must: 'a comma-separated list of ip or ip:port',
  parse(value) {
    const parts = value.split(',').flatMap((part) => part.trim() || [])
    return parts.every(isServer) ? parts : undefined
  },
}

/** Reads a comma-separated list of addresses and CIDRs as CIDRs. Returns null if one of them is neither. */
function parseCidrs(list: string): string[] | null {
  const parts = list.split(',').flatMap((part) => part.trim() || [])
  const cidrs = parts.map((part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`))
  return cidrs.every((cidr) => ipaddr.isValidCIDR(cidr)) ? cidrs : null
}
