import type { LookupFunction } from 'node:net'
import { bounceNotification } from '../notification.ts'
import type { DeliveryFact, DispatchOutcome, OutboundMessage, WholeProvider } from '../provider.ts'
import { FAILED_AT, type Failure } from '../smtp-client/failure.ts'
import { judge, type Verdict } from '../smtp-client/judge.ts'
import { isLoopback } from '../smtp-client/loopback.ts'
import { createPool, type Pool, type PoolOptions } from '../smtp-client/pool.ts'
import { formatReply, type Reply } from '../smtp-client/reply.ts'
import { type Handed, sendOneByOne } from './one-by-one.ts'

export type SmtpProviderOptions = {
  /** `validateRelayUrl` has found no fault in it. */
  url: string
  /** What EHLO says this host is called. */
  localName: string
  /** In place of the system's. */
  lookup?: LookupFunction
  log?: { warn(details: Record<string, unknown>, message: string): void }
  /** Bounds of the pool where they are not to be its own. */
  pool?: Partial<Pick<PoolOptions, 'connectionsMax' | 'idleMs' | 'timeouts' | 'closeMs' | 'ca'>>
}

export type SmtpProvider = WholeProvider & { counters: Pool['counters'] }

/** Relays everything through one server, over connections that stay open. */
export function smtpProvider({ url, localName, lookup, log, pool: bounds }: SmtpProviderOptions): SmtpProvider {
  const relay = readRelayUrl(url)
  if (typeof relay === 'string') throw new Error(relay)
  const name = `${relay.host}:${relay.port}`
  const pool = createPool({ ...relay, localName, ...(lookup && { lookup }), ...bounds })
  let reachable = true

  /** One line when the relay begins to fail, not one for each message it does not take. */
  function note(verdict: Verdict, failure: Failure | null) {
    const fails = verdict.kind !== 'answered'
    if (fails && reachable) {
      const phase = failure?.phase ?? 'answer'
      log?.warn({ relay: name, phase, reason: verdict.message }, 'the relay fails')
    }
    reachable = !fails
  }

  async function hand(message: OutboundMessage): Promise<Handed> {
    const result = await pool.send(message.envelope, message.raw)
    const verdict = judge(result)
    note(verdict, result.failure)
    return { outcome: outcomeOf(message, verdict, result.failure), isCut: result.failure !== null }
  }

  return {
    name: 'smtp',
    signs: false,
    usesReturnAddress: true,
    counters: pool.counters,
    async send(message) {
      const { senders } = message.envelope
      return senders ? sendOneByOne(message, senders, hand) : (await hand(message)).outcome
    },
    close: () => pool.close(),
  }
}

/**
 * Callers and events are told what went wrong and the relay's code. Where the relay is, and what it says in its own words,
 * is the operator's to know, and stands in the log.
 */
function outcomeOf(message: OutboundMessage, verdict: Verdict, failure: Failure | null): DispatchOutcome {
  if (verdict.kind === 'unknown') {
    const lost = 'The connection to the mail relay was lost after the message and before its answer.'
    return { kind: 'unknown', message: lost }
  }
  if (verdict.kind === 'unavailable') {
    const what = failure ? FAILED_AT[failure.phase] : 'did not take the message for now'
    const code = verdict.reply ? ` (${codeOf(verdict.reply)})` : ''
    return { kind: 'unavailable', message: `The mail relay ${what}${code}.` }
  }
  const facts = verdict.refused.map(({ address, reply, permanent, blamed }): DeliveryFact => {
    const status = reply.enhanced ?? (permanent ? '5.0.0' : '4.0.0')
    const diagnosis = { permanent, blamed, status, diagnosticCode: `smtp; ${formatReply(reply)}` }
    const data = bounceNotification(message, address, diagnosis, message.at)
    return { type: 'bounced', recipient: address, permanent, suppress: blamed, data }
  })
  return { kind: 'answered', accepted: verdict.accepted, facts, response: verdict.response }
}

function codeOf({ code, enhanced }: Reply): string {
  return enhanced ? `${code} ${enhanced}` : String(code)
}

/** One sentence on what is wrong with `SMTP_RELAY_URL`, never quoting it, since it holds a password; null when nothing is. */
export function validateRelayUrl(url: string): string | null {
  const relay = readRelayUrl(url)
  return typeof relay === 'string' ? relay : null
}

type Relay = Pick<PoolOptions, 'host' | 'port' | 'tls' | 'verify' | 'auth'>

/**
 * `smtp[s]://user:pass@host:port`, user and password percent-encoded. `smtps` is TLS from the start, port 465. `smtp` uses
 * STARTTLS where it is offered, port 587 with credentials (RFC 6409) and 25 without. Credentials leave this machine
 * encrypted or not at all, so with them STARTTLS is required unless the host is a loopback one.
 * `?tls=required` wants STARTTLS always, `?tls=none` never uses it. `?verify=off` takes any certificate; otherwise it is
 * verified wherever encryption is required. Where plain text would do as well, so does a certificate that proves nothing.
 */
function readRelayUrl(text: string): Relay | string {
  if (!URL.canParse(text)) return 'The relay URL is not a URL: write smtp[s]://user:pass@host:port.'
  const url = new URL(text)
  if (!['smtp:', 'smtps:'].includes(url.protocol)) return 'The relay URL must begin with smtp:// or smtps://.'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!/^[a-z0-9._:-]+$/i.test(host)) return 'The relay URL must name a host.'
  if (url.port === '0') return 'The port of the relay URL must be from 1 to 65535.'
  if (!['', '/'].includes(url.pathname) || url.hash)
    return 'Nothing but ?tls= and ?verify= may follow the host and port.'
  const auth = readCredentials(url)
  if (typeof auth === 'string') return auth
  const query = readQuery(url.searchParams)
  if (typeof query === 'string') return query
  const implicit = url.protocol === 'smtps:'
  if (implicit && query.tls) return 'The relay URL begins with smtps://, which leaves no choice to ?tls=.'
  const guarded = auth !== null && !isLoopback(host)
  if (guarded && query.tls === 'none') return 'With ?tls=none the password would be readable on the way: leave it out.'
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
    if (name !== 'tls' && name !== 'verify') return 'Of the relay URL’s query only ?tls= and ?verify= are known.'
    if (query.getAll(name).length > 1) return `The relay URL has ?${name}= more than once.`
  }
  const [tls, verify] = [query.get('tls'), query.get('verify')]
  if (tls !== null && tls !== 'required' && tls !== 'none') return 'The relay URL’s ?tls= must be required or none.'
  if (verify !== null && verify !== 'off') return 'The relay URL’s ?verify= can only be off.'
  return { tls, verify: verify !== 'off' }
}
