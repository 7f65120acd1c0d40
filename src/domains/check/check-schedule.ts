import type { App, Tx } from '../../context.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import { checkDomainJob } from '../jobs.ts'
import { isReservedName } from '../name.ts'
import type { DomainRow } from '../queries.ts'
import { hasExpired, isAwaiting, verificationMs } from '../rules.ts'

const minuteMs = 60_000
/** The delays after the first checks; the last one repeats. Most teams publish their records within the hour. */
const delaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs]
/** The delay of daily checks, and after the 72 hours for a DNS that does not answer. */
const slowDelayMs = 24 * 60 * minuteMs

/** Daily checks come up to this much earlier, so that domains verified together spread over time. */
const spreadMs = 2 * 60 * minuteMs

/** The time of the next check, after `checksDone` checks. */
export function nextCheckAt(row: DomainRow, checksDone: number, now: Date): Date {
  const delayMs = isAwaiting(row) ? delayAfter(row, checksDone, now) : slowDelayMs - shareOf(row.id) * spreadMs
  // One check falls on the end of the 72 hours, which fails the domain, and one on the end of a former key.
  const ends = [row.first_checked_at, row.records_missing_since].map(
    (since) => (since?.getTime() ?? 0) + verificationMs,
  )
  const untils = [...ends, row.dkim_old_until?.getTime() ?? 0].map((untilMs) => untilMs - now.getTime())
  return new Date(now.getTime() + Math.min(delayMs, ...untils.filter((untilMs) => untilMs > 0)))
}

function delayAfter(row: DomainRow, checksDone: number, now: Date): number {
  return hasExpired(row.first_checked_at, now) ? slowDelayMs : delaysMs[Math.min(checksDone, delaysMs.length - 1)]!
}

/** A number from 0 to 1 that is fixed for an id. */
function shareOf(id: string): number {
  return Number.parseInt(id.slice(-4), 16) / 0x10000
}

/** True while background checks go on: for missing records, a former key, and daily for a verified domain. */
export function isChecked(app: App, row: DomainRow): boolean {
  if (isAwaiting(row) || row.dkim_old_until !== null) return true
  return row.status === 'verified' && !verifiesAtOnce(app, row.name)
}

/** True for reserved names, which are never in DNS, with the provider `capture`. */
export function verifiesAtOnce(app: App, name: string): boolean {
  return app.config.emailProvider === 'capture' && isReservedName(name)
}

/** Starts a new series of background checks. A check of the old series that is still running loses its lease. */
export async function planChecks(tx: Tx, row: DomainRow, runAt: Date): Promise<void> {
  await stopChecks(tx, row.id)
  await enqueueJob(tx, checkDomainJob, { key: row.id, teamId: row.team_id, runAt })
}

export async function stopChecks(tx: Tx, id: string): Promise<void> {
  await deleteJob(tx, checkDomainJob, id)
}
