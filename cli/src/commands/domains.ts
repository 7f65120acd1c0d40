import { setTimeout as sleep } from 'node:timers/promises'
import type { Domain } from '../../../sdk/src/api.ts'
import { ConnectionError, type PosthornError } from '../../../sdk/src/errors.ts'
import type { Call } from '../call.ts'
import { Failure } from '../failure.ts'
import { idOf } from '../find.ts'
import { nouns } from '../nouns.ts'
import { linesText } from '../output/table.ts'
import { visible } from '../output/visible.ts'

/** Shows the records that a domain needs, as a zone file. */
export async function showDomain(call: Call): Promise<undefined> {
  const domain = await call.client().domains.get(await domainId(call))
  call.show(domain, () => zoneText(domain, domain.records))
}

const everyMs = 5000
const waitMaxMs = 10 * 60_000

/** Asks the server to look at the records. With `--wait` until it has decided, for ten minutes at most. */
export async function verifyDomain(call: Call): Promise<undefined> {
  const [client, id] = [call.client(), await domainId(call)]
  const untilMs = performance.now() + waitMaxMs
  let domain = await client.domains.verify(id)
  let askedMs = 0
  while (call.values.wait === true && !isDecided(domain) && performance.now() < untilMs) {
    await sleep(Math.max(everyMs, askedMs))
    const { data, error } = await client.domains.verify(id).result()
    if (error && !isPassing(error)) throw error
    askedMs = Math.min(error?.retryAfterMs ?? 0, untilMs - performance.now())
    domain = data ?? domain
  }
  const { name, status } = domain
  const missing = domain.records.filter((record) => record.status !== 'verified')
  if (call.values.wait === true && status !== 'verified')
    throw new Failure(1, 'not_verified', `${name} is ${status}. See its records: posthorn domains show ${name}`)
  call.show(domain, () => linesText({ name, status }) + (status === 'verified' ? '' : zoneText(domain, missing)))
}

/** The SDK sends such a request once, and the next look is as good. */
function isPassing(error: PosthornError): boolean {
  return error instanceof ConnectionError || [429, 502, 503, 504].includes(error.status ?? 0)
}

function isDecided({ status }: Domain): boolean {
  return status === 'verified' || status === 'failed'
}

function domainId({ words, client }: Call): Promise<string> {
  return idOf(client(), nouns.domains!.find, words[0]!)
}

type DnsRecord = Domain['records'][number]

/** Returns records as lines of a zone file (RFC 1035, 5.1), each after its status as a comment. */
export function zoneText({ name, status }: Pick<Domain, 'name' | 'status'>, records: readonly DnsRecord[]): string {
  return [`; ${visible(name)} is ${visible(status)}`, ...records.map(recordLine), ''].join('\n')
}

const ttlSeconds = 3600

function recordLine({ type, name, value, priority, note, status }: DnsRecord): string {
  const owner = `${visible(name)}. ${ttlSeconds} IN ${visible(type).toUpperCase()}`
  const said = `; ${visible(status)}`
  if (value === '') return `${said}\n; ${owner} ${visible(note ?? '')}`
  return `${said}\n${owner} ${dataOf(type, value, priority)}`
}

function dataOf(type: DnsRecord['type'], value: string, priority: number | null): string {
  if (type === 'txt') return quoted(value)
  const host = `${visible(value).replace(/\.$/, '')}.`
  return type === 'mx' ? `${priority ?? 10} ${host}` : host
}

const stringMax = 255 // RFC 1035, 3.3

/** A text of TXT is in strings of at most 255 octets. */
function quoted(value: string): string {
  const parts = visible(value).match(new RegExp(`.{1,${stringMax}}`, 'gs')) ?? ['']
  return parts.map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')
}
