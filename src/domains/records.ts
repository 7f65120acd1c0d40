import { isIPv4, isIPv6 } from 'node:net'
import type { App, Config } from '../context.ts'
import { trackingName, wantedReturnPath } from './name.ts'
import type { DomainRow } from './queries.ts'
import { hasTracking } from './rules.ts'
import type { DkimSelector, RecordKey, RecordStatus } from './table.ts'

const mxPriority = 10

/** A DNS record that the domain's owner publishes. `name` is the full name without a dot at its end. */
export type DomainRecord = {
  key: RecordKey
  type: 'txt' | 'mx' | 'cname'
  name: string
  /** Empty if the value is not known here. */
  value: string
  /** Says who knows the value, only if it is empty: text that stands in for a value gets published. */
  note?: string
  priority: number | null
  status: 'pending' | 'verified' | 'failed'
  /** False for a record that is shown only. */
  isLookedUp: boolean
}

/** The values of the records. `spf` holds mechanisms separated by blanks, or null if they are not known. */
type DnsTargets = { host: string; spf: string | null; mx: string }

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

/** The targets of a domain's records, which follow the email provider. */
export function dnsTargetsOf(app: Pick<App, 'config' | 'providers'>, { region }: { region: string }): DnsTargets {
  const host = mailHostOf(app.config)
  const { spf = spfMechanism(host), mx = host } = app.providers.email.live.returnPathDns?.({ region }) ?? {}
  return { host, spf, mx }
}

export function recordsOf(domain: Settings, { host, spf, mx }: DnsTargets): DomainRecord[] {
  const returnPath = wantedReturnPath(domain)
  const record = (
    key: RecordKey,
    type: DomainRecord['type'],
    name: string,
    value: string,
    priority: number | null = null,
  ): DomainRecord => ({
    key,
    type,
    name,
    value,
    priority,
    status: shownStatus(domain.record_statuses[key]),
    isLookedUp: true,
  })
  const dkim = (key: RecordKey, selector: DkimSelector, publicKey: string) =>
    record(key, 'txt', dkimName(selector, domain.name), `v=DKIM1; k=rsa; p=${publicKey}`)
  const records = [
    dkim('dkim', domain.dkim_selector, domain.dkim_public_key),
    spf === null
      ? { ...record('spf', 'txt', returnPath, ''), note: unknownSpf, status: 'pending' as const, isLookedUp: false }
      : record('spf', 'txt', returnPath, `v=spf1 ${spf} ~all`),
    record('mx', 'mx', returnPath, mx, mxPriority),
  ]
  const other = otherSelector(domain.dkim_selector)
  if (domain.dkim_next_public_key !== null) records.push(dkim('nextDkim', other, domain.dkim_next_public_key))
  if (domain.dkim_old_public_key !== null) {
    records.push({ ...dkim('oldDkim', other, domain.dkim_old_public_key), status: 'verified', isLookedUp: false })
  }
  if (hasTracking(domain)) records.push(record('tracking', 'cname', trackingName(domain.name), host))
  return records
}

const unknownSpf =
  'Ask the operator which SPF record the mail relay needs. Setting SMTP_RELAY_SPF shows it here and requires it.'

function shownStatus(status: RecordStatus = 'pending'): DomainRecord['status'] {
  return status === 'unchecked' ? 'pending' : status
}

export function otherSelector(selector: DkimSelector): DkimSelector {
  return selector === 'posthorn' ? 'posthorn2' : 'posthorn'
}

export function dkimName(selector: DkimSelector, domainName: string): string {
  return `${selector}._domainkey.${domainName}`
}

/** Names a host's addresses, or an address of an installation without a host name (RFC 7208 5). */
function spfMechanism(mailHost: string): string {
  if (isIPv4(mailHost)) return `ip4:${mailHost}`
  return isIPv6(mailHost) ? `ip6:${mailHost}` : `a:${mailHost}`
}

/** The host of `PUBLIC_URL`, to which bounces and tracked links lead. */
export function mailHostOf(config: Pick<Config, 'publicUrl'>): string {
  const host = config.publicUrl ? new URL(config.publicUrl).hostname : 'localhost'
  return host.replace(/^\[|\]$/g, '')
}
