import { isIP } from 'node:net'
import { isLocalName } from '../names/local-name.ts'
import { isOpenPort, portOf } from './ports.ts'
import { type AllowList, isAllowed, mayReach } from './public-address.ts'

export type TargetRules = { allow: AllowList; protocols: readonly ('http:' | 'https:')[] }

export type Target = { kind: 'target'; url: URL } | { kind: 'refused'; reason: string }

/** The length of a URL as it is sent, in bytes. Most servers accept 8 KiB (RFC 9110 4.1 asks for 8,000). */
export const urlMaxBytes = 8192
/** RFC 1035 2.3.4, as text. */
const hostNameMax = 253

/**
 * Checks a URL before any network call. An address in it is checked here, because it is not looked up. The URL parser
 * has turned decimal, octal and hexadecimal forms into the usual one by then.
 */
export function readTarget(text: string, { allow, protocols }: TargetRules): Target {
  // Checked first, so that a long text is not parsed. Percent-encoding can only make it longer.
  if (text.length > urlMaxBytes) return refused(tooLong)
  if (!URL.canParse(text)) return refused('it is not an absolute URL')
  const url = new URL(text)
  if (url.href.length > urlMaxBytes) return refused(tooLong)
  if (!(protocols as readonly string[]).includes(url.protocol)) {
    return refused(`its scheme is not ${protocols.map((protocol) => protocol.slice(0, -1)).join(' or ')}`)
  }
  if (url.username !== '' || url.password !== '') return refused('it holds a user name or password')
  const host = hostOf(url)
  if (host.length > hostNameMax + 1) return refused(`its host is longer than ${hostNameMax} characters`)
  const literal = isIP(host) !== 0
  if (literal && !mayReach(host, allow)) return refused(notPublic(host))
  if (isLocalName(host) && localAddresses(allow).length === 0) return refused(`${host} is this machine`)
  const port = portOf(url)
  // Names are checked once their addresses are known, because the operator may have allowed them.
  const isOpened = literal ? isAllowed(host, allow) : allow.length > 0
  if (!isOpenPort(port) && !isOpened) return refused(portClosed(port))
  return { kind: 'target', url }
}

/** Returns the host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Returns the loopback addresses that may be reached, for names that mean this machine. */
export function localAddresses(allow: AllowList): string[] {
  return ['127.0.0.1', '::1'].filter((address) => mayReach(address, allow))
}

function notPublic(host: string): string {
  return `${host} is not a public address`
}

export function portClosed(port: number): string {
  return `port ${port} is not open to URLs`
}

const tooLong = `it is longer than ${urlMaxBytes} bytes`

function refused(why: string): Target {
  return { kind: 'refused', reason: `The URL cannot be called: ${why}.` }
}
