import { isLoopback } from '../../../platform/egress/loopback.ts'
import type { Parser } from '../../../platform/environment/parsers.ts'
import type { PoolOptions } from '../../smtp-client/pool.ts'

export const relayUrl: Parser<string> = {
  must: 'smtp[s]://user:pass@host:port',
  secret: true,
  parse: (value) => (validateRelayUrl(value) === null ? value : undefined),
  fault: validateRelayUrl,
}

/**
 * Says in one sentence what is wrong with `SMTP_RELAY_URL`, or null. It never quotes the URL, which holds a password.
 */
export function validateRelayUrl(url: string): string | null {
  const relay = readRelayUrl(url)
  return typeof relay === 'string' ? relay : null
}

type Relay = Pick<PoolOptions, 'host' | 'port' | 'tls' | 'verify' | 'auth'>

/**
 * Reads `smtp[s]://user:pass@host:port`, with user and password percent-encoded. Returns a string if the URL is wrong.
 *
 * `smtps` is TLS from the start, on port 465. `smtp` uses STARTTLS if the relay offers it, on port 587 with credentials
 * (RFC 6409) and 25 without. With credentials STARTTLS is required, unless the host is a loopback address.
 * `?tls=required` always requires STARTTLS, `?tls=none` never uses it. `?verify=off` accepts any certificate. If
 * encryption is not required, any certificate is accepted too, because plain text would be accepted.
 */
export function readRelayUrl(text: string): Relay | string {
  if (!URL.canParse(text)) return 'The relay URL is not a URL: write smtp[s]://user:pass@host:port.'
  const url = new URL(text)
  if (!['smtp:', 'smtps:'].includes(url.protocol)) return 'The relay URL must begin with smtp:// or smtps://.'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!/^[a-z0-9._:-]+$/i.test(host)) return 'The relay URL must name a host.'
  if (url.port === '0') return 'The port of the relay URL must be from 1 to 65535.'
  if (!['', '/'].includes(url.pathname) || url.hash)
    return 'Only ?tls= and ?verify= may follow the host and port of the relay URL.'
  const auth = readCredentials(url)
  if (typeof auth === 'string') return auth
  const query = readQuery(url.searchParams)
  if (typeof query === 'string') return query
  const implicit = url.protocol === 'smtps:'
  if (implicit && query.tls) return 'The relay URL begins with smtps://, so ?tls= must be left out.'
  const guarded = auth !== null && !isLoopback(host)
  if (guarded && query.tls === 'none')
    return 'The relay URL has a password, which ?tls=none would send unencrypted: leave ?tls=none out.'
  const tls = implicit ? 'implicit' : (query.tls ?? (guarded ? 'required' : 'opportunistic'))
  const port = url.port === '' ? (implicit ? 465 : auth ? 587 : 25) : Number(url.port)
  const verify = query.verify && (tls === 'implicit' || tls === 'required')
  return { host, port, tls, verify, ...(auth ? { auth } : {}) }
}

function readCredentials(url: URL): { user: string; password: string } | string | null {
  if (url.username === '' && url.password === '') return null
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    if (user === '') return 'The relay URL has a password but no user name.'
    if (`${user}${password}`.includes('\0')) return 'User name and password of the relay URL may not contain NUL.'
    return { user, password }
  } catch {
    return 'User name and password of the relay URL must be percent-encoded: a % itself is written %25.'
  }
}

function readQuery(query: URLSearchParams): { tls: 'required' | 'none' | null; verify: boolean } | string {
  for (const name of query.keys()) {
    if (name !== 'tls' && name !== 'verify') return 'The query of the relay URL may only hold ?tls= and ?verify=.'
    if (query.getAll(name).length > 1) return `The relay URL has ?${name}= more than once.`
  }
  const [tls, verify] = [query.get('tls'), query.get('verify')]
  if (tls !== null && tls !== 'required' && tls !== 'none') return 'The relay URL’s ?tls= must be required or none.'
  if (verify !== null && verify !== 'off') return 'The relay URL’s ?verify= can only be off.'
  return { tls, verify: verify !== 'off' }
}
