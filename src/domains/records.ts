import { isIPv4, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { trackingName, wantedReturnPath } from './name.ts'
import type { DomainRow } from './queries.ts'
import { hasTracking } from './rules.ts'
import type { DkimSelector, RecordKey, RecordStatus } from './table.ts'

const mxPriority = 10

/** A DNS record the domain's owner is asked to publish; `name` is full, without a dot at its end. */
export type DomainRecord = {
  key: RecordKey
  type: 'txt' | 'mx' | 'cname'
  name: string
  value: string
  priority: number | null
  status: RecordStatus
}

type Settings = Pick<
  DomainRow,
  | 'name'
  | 'dkim_public_key'
  | 'dkim_selector'
  | 'dkim_next_public_key'
  | 'dkim_old_public_key'
  | 'custom_return_path'
  | 'click_tracking'
  | 'open_tracking'
  | 'record_statuses'
>

/** The records of a domain as its settings want them. `mailHost` is where bounces and tracked links come home to. */
export function recordsOf(domain: Settings, mailHost: string): DomainRecord[] {
  const returnPath = wantedReturnPath(domain)
  const record = (
    key: RecordKey,
    type: DomainRecord['type'],
    name: string,
    value: string,
    priority: number | null = null,
  ) => ({
    ...{ key, type, name, value, priority },
    status: domain.record_statuses[key] ?? ('pending' as const),
  })
  const dkim = (key: RecordKey, selector: DkimSelector, publicKey: string) =>
    record(key, 'txt', dkimName(selector, domain.name), `v=DKIM1; k=rsa; p=${publicKey}`)
  const records = [
    dkim('dkim', domain.dkim_selector, domain.dkim_public_key),
    record('spf', 'txt', returnPath, `v=spf1 ${spfMechanism(mailHost)} ~all`),
    record('mx', 'mx', returnPath, mailHost, mxPriority),
  ]
  const other = otherSelector(domain.dkim_selector)
  if (domain.dkim_next_public_key !== null) records.push(dkim('nextDkim', other, domain.dkim_next_public_key))
  if (domain.dkim_old_public_key !== null) {
    records.push({ ...dkim('oldDkim', other, domain.dkim_old_public_key), status: 'verified' })
  }
  if (hasTracking(domain)) records.push(record('tracking', 'cname', trackingName(domain.name), mailHost))
  return records
}

export function otherSelector(selector: DkimSelector): DkimSelector {
  return selector === 'posthorn' ? 'posthorn2' : 'posthorn'
}

export function dkimName(selector: DkimSelector, domainName: string): string {
  return `${selector}._domainkey.${domainName}`
}

/** RFC 7208 5: a host's addresses, or an address itself where the installation has no name yet. */
export function spfMechanism(mailHost: string): string {
  if (isIPv4(mailHost)) return `ip4:${mailHost}`
  return isIPv6(mailHost) ? `ip6:${mailHost}` : `a:${mailHost}`
}

export function mailHostOf(config: Pick<Config, 'publicUrl'>): string {
  const host = config.publicUrl ? new URL(config.publicUrl).hostname : 'localhost'
  return host.replace(/^\[|\]$/g, '')
}
