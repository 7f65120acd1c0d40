import type { DomainStatus, RecordKey, RecordStatus, RecordStatuses } from './table.ts'

/** How long missing records are waited for, from the first check on. */
export const verificationMs = 72 * 3_600_000

/** What DNS said of one record; `unanswered`: it said nothing, which proves nothing. */
export type Finding = 'found' | 'missing' | 'unanswered'
export type Findings = Partial<Record<RecordKey, Finding>>

export type Standing = {
  status: DomainStatus
  recordStatuses: RecordStatuses
  firstCheckedAt: Date
  /** False while a changed return path waits for its records and mail goes out with the one before. */
  isReturnPathSettled: boolean
}

/**
 * What a check makes of a domain. It is verified when every record is found. Once it is, only what its mail depends on
 * takes that away again when it is gone: a tracking record or a new return path that is still to be published does not.
 */
export function judge(
  before: Standing,
  findings: Findings,
  now: Date,
): { status: DomainStatus; recordStatuses: RecordStatuses } {
  const isExpired = hasExpired(before.firstCheckedAt, now)
  const keys = Object.keys(findings) as RecordKey[]
  const recordStatuses = Object.fromEntries(
    keys.map((key) => [key, recordStatus(findings[key]!, before.recordStatuses[key], isExpired)]),
  ) as RecordStatuses
  return { status: domainStatus(before, findings, isExpired), recordStatuses }
}

function recordStatus(finding: Finding, before: RecordStatus | undefined, isExpired: boolean): RecordStatus {
  if (finding === 'found') return 'verified'
  if (finding === 'unanswered') return before ?? 'pending'
  return isExpired ? 'failed' : 'pending'
}

function domainStatus({ status, isReturnPathSettled }: Standing, findings: Findings, isExpired: boolean): DomainStatus {
  const all = Object.values(findings)
  if (all.every((finding) => finding === 'found')) return 'verified'
  const needed: RecordKey[] = isReturnPathSettled ? ['dkim', 'spf', 'mx'] : ['dkim']
  if (status === 'verified' && needed.every((key) => findings[key] !== 'missing')) return 'verified'
  if (all.includes('unanswered')) return 'temporary_failure'
  return isExpired ? 'failed' : 'pending'
}

export function hasExpired(firstCheckedAt: Date | null, now: Date): boolean {
  return firstCheckedAt !== null && now.getTime() - firstCheckedAt.getTime() >= verificationMs
}

type Awaiting = {
  status: DomainStatus
  record_statuses: RecordStatuses
  click_tracking: boolean
  open_tracking: boolean
}

/** Whether there is still something to look for in the background. */
export function isAwaiting(domain: Awaiting): boolean {
  if (domain.status === 'pending' || domain.status === 'temporary_failure') return true
  const keys: RecordKey[] = ['dkim', 'spf', 'mx', ...(hasTracking(domain) ? ['tracking' as const] : [])]
  return domain.status === 'verified' && keys.some((key) => (domain.record_statuses[key] ?? 'pending') === 'pending')
}

/** Whether links or opens are to be seen, for which the tracking subdomain is needed. */
export function hasTracking(domain: { click_tracking: boolean; open_tracking: boolean }): boolean {
  return domain.click_tracking || domain.open_tracking
}
