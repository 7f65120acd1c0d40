import type { DomainStatus, RecordKey, RecordStatus, RecordStatuses } from './table.ts'

/** The time for publishing records, counted from the first check. */
export const verificationMs = 72 * 3_600_000

/**
 * The result of looking up one record. `unanswered` means that DNS gave no answer, which proves nothing; `unchecked`,
 * that the record is not looked up.
 */
export type Finding = 'found' | 'missing' | 'unanswered' | 'unchecked'
export type Findings = Partial<Record<RecordKey, Finding>>

export type Standing = {
  status: DomainStatus
  recordStatuses: RecordStatuses
  firstCheckedAt: Date
  /** False while a changed return path waits for its records and mail still carries the former one. */
  isReturnPathSettled: boolean
  /** The time since which a required record of a verified domain has been missing. */
  missingSince: Date | null
  /** True for a background check. It fails a verified domain only after a record has been missing for 72 hours. */
  isRoutine: boolean
}

type Verdict = { status: DomainStatus; recordStatuses: RecordStatuses; missingSince: Date | null }

/**
 * Decides the status of a domain after a check. It becomes verified when every record that is looked up is found.
 * Afterwards only the records its mail depends on can end that, not a tracking record or a new return path. A routine
 * check ends it after 72 hours without such a record; a check that the team requests, at once.
 */
export function judgeFindings(before: Standing, findings: Findings, now: Date): Verdict {
  const usual: RecordKey[] = before.isReturnPathSettled ? ['dkim', 'spf', 'mx'] : ['dkim']
  const needed = usual.filter((key) => findings[key] !== 'unchecked')
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

/** A check that DNS does not answer neither starts nor ends the time. */
function sinceWhenMissing(before: Standing, needed: RecordKey[], findings: Findings, now: Date): Date | null {
  if (needed.some((key) => findings[key] === 'missing')) return before.missingSince ?? now
  return needed.every((key) => findings[key] === 'found') ? null : before.missingSince
}

function recordStatus(finding: Finding, before: RecordStatus | undefined, isExpired: boolean): RecordStatus {
  if (finding === 'found') return 'verified'
  if (finding === 'unchecked') return 'unchecked'
  if (finding === 'unanswered') return before ?? 'pending'
  return isExpired ? 'failed' : 'pending'
}

function domainStatus(
  { status, isRoutine }: Standing,
  needed: RecordKey[],
  findings: Findings,
  isExpired: boolean,
): DomainStatus {
  // The record of a replacement key does not affect the status.
  const all = Object.values<Finding>({ ...findings, nextDkim: 'found' })
  if (all.every(isSatisfied)) return 'verified'
  const isThere = needed.every((key) => findings[key] !== 'missing')
  if (status === 'verified' && (isThere || (isRoutine && !isExpired))) return 'verified'
  if (status === 'verified' && isRoutine) return 'failed'
  if (all.includes('unanswered')) return 'temporary_failure'
  return isExpired ? 'failed' : 'pending'
}

/** True for a record that does not keep a domain from being verified. */
export function isSatisfied(finding: Finding | undefined): boolean {
  return finding === 'found' || finding === 'unchecked'
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

/** True while background checks look for a record. */
export function isAwaiting(domain: Awaiting): boolean {
  if (domain.status === 'pending' || domain.status === 'temporary_failure') return true
  const keys: RecordKey[] = ['dkim', 'spf', 'mx']
  if (hasTracking(domain)) keys.push('tracking')
  if (domain.dkim_next_public_key !== null) keys.push('nextDkim')
  return domain.status === 'verified' && keys.some((key) => (domain.record_statuses[key] ?? 'pending') === 'pending')
}

/** True if the domain needs the tracking subdomain. */
export function hasTracking(domain: { click_tracking: boolean; open_tracking: boolean }): boolean {
  return domain.click_tracking || domain.open_tracking
}
