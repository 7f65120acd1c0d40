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
  /** Since when a needed record of a verified domain has been missing. */
  missingSince: Date | null
  /** The check was not asked for: a verified domain keeps its status until a record has been missing for 72 hours. */
  isRoutine: boolean
}

export type Verdict = { status: DomainStatus; recordStatuses: RecordStatuses; missingSince: Date | null }

/**
 * What a check makes of a domain. It is verified when every record is found. Once it is, only what its mail depends on
 * takes that away again when it is gone: a tracking record or a new return path that is still to be published does not.
 * A routine check takes it away after 72 hours without, a check that the team asks for at once.
 */
export function judge(before: Standing, findings: Findings, now: Date): Verdict {
  const needed: RecordKey[] = before.isReturnPathSettled ? ['dkim', 'spf', 'mx'] : ['dkim']
  const missingSince = sinceWhenMissing(before, needed, findings, now)
  const isLate = hasExpired(before.firstCheckedAt, now)
  const isPatient = before.isRoutine && before.status === 'verified'
  const isLost = isPatient ? hasExpired(missingSince, now) : isLate
  const keys = Object.keys(findings) as RecordKey[]
  const recordStatuses = Object.fromEntries(
    keys.map((key) => {
      const isExpired = needed.includes(key) ? isLost : isLate
      return [key, recordStatus(findings[key]!, before.recordStatuses[key], isExpired)]
    }),
  ) as RecordStatuses
  return { status: domainStatus(before, needed, findings, isLost), recordStatuses, missingSince }
}

/** A DNS that does not answer neither begins the time nor ends it. */
function sinceWhenMissing(before: Standing, needed: RecordKey[], findings: Findings, now: Date): Date | null {
  if (needed.some((key) => findings[key] === 'missing')) return before.missingSince ?? now
  return needed.every((key) => findings[key] === 'found') ? null : before.missingSince
}

function recordStatus(finding: Finding, before: RecordStatus | undefined, isExpired: boolean): RecordStatus {
  if (finding === 'found') return 'verified'
  if (finding === 'unanswered') return before ?? 'pending'
  return isExpired ? 'failed' : 'pending'
}

function domainStatus(
  { status, isRoutine }: Standing,
  needed: RecordKey[],
  findings: Findings,
  isExpired: boolean,
): DomainStatus {
  // A key that is to replace another one is waited for apart.
  const all = Object.values({ ...findings, nextDkim: 'found' })
  if (all.every((finding) => finding === 'found')) return 'verified'
  const isThere = needed.every((key) => findings[key] !== 'missing')
  if (status === 'verified' && (isThere || (isRoutine && !isExpired))) return 'verified'
  if (status === 'verified' && isRoutine) return 'failed'
  if (all.includes('unanswered')) return 'temporary_failure'
  return isExpired ? 'failed' : 'pending'
}

export function hasExpired(firstCheckedAt: Date | null, now: Date): boolean {
  return firstCheckedAt !== null && now.getTime() - firstCheckedAt.getTime() >= verificationMs
}

type Awaiting = {
  status: DomainStatus
  record_statuses: RecordStatuses
  dkim_next_public_key: string | null
  click_tracking: boolean
  open_tracking: boolean
}

/** Whether there is still something to look for in the background. */
export function isAwaiting(domain: Awaiting): boolean {
  if (domain.status === 'pending' || domain.status === 'temporary_failure') return true
  const keys: RecordKey[] = ['dkim', 'spf', 'mx']
  if (hasTracking(domain)) keys.push('tracking')
  if (domain.dkim_next_public_key !== null) keys.push('nextDkim')
  return domain.status === 'verified' && keys.some((key) => (domain.record_statuses[key] ?? 'pending') === 'pending')
}

/** Whether links or opens are to be seen, for which the tracking subdomain is needed. */
export function hasTracking(domain: { click_tracking: boolean; open_tracking: boolean }): boolean {
  return domain.click_tracking || domain.open_tracking
}
