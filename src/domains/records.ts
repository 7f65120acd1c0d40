import { isIPv4, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { trackingName, wantedReturnPath } from './name.ts'
import type { DomainRow } from './queries.ts'
import { hasTracking } from './rules.ts'
import type { RecordKey, RecordStatus } from './table.ts'

export const dkimSelector = 'posthorn'
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
  'name' | 'dkim_public_key' | 'custom_return_path' | 'click_tracking' | 'open_tracking' | 'record_statuses'
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
  const records = [
    record('dkim', 'txt', `${dkimSelector}._domainkey.${domain.name}`, `v=DKIM1; k=rsa; p=${domain.dkim_public_key}`),
    record('spf', 'txt', returnPath, `v=spf1 ${spfMechanism(mailHost)} ~all`),
    record('mx', 'mx', returnPath, mailHost, mxPriority),
  ]
  if (hasTracking(domain)) records.push(record('tracking', 'cname', trackingName(domain.name), mailHost))
  return records
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
