import type { App, Tx } from '../context.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import { deleteJob } from '../platform/jobs/waiting-jobs.ts'
import { checkDomainJob } from './jobs.ts'
import { isReservedName } from './name.ts'
import type { DomainRow } from './queries.ts'
import { hasExpired, isAwaiting, verificationMs } from './rules.ts'

const minuteMs = 60_000
/** After each check in turn; the last one repeats. Most people publish their records within the hour. */
const delaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs]
/** Past the 72 hours only a DNS that does not answer is still asked. */
const slowDelayMs = 24 * 60 * minuteMs

/** Domains that were verified together are checked a little earlier each day, by a time of their own. */
const spreadMs = 2 * 60 * minuteMs

/** When the check after `checksDone` of them is due. */
export function nextCheckAt(row: DomainRow, checksDone: number, now: Date): Date {
  const delayMs = isAwaiting(row) ? delayAfter(row, checksDone, now) : slowDelayMs - shareOf(row.id) * spreadMs
  // One check falls at the end of the 72 hours, so that what has failed says so then, and one where an old key leaves.
  const ends = [row.first_checked_at, row.records_missing_since].map(
    (since) => (since?.getTime() ?? 0) + verificationMs,
  )
  const untils = [...ends, row.dkim_old_until?.getTime() ?? 0].map((untilMs) => untilMs - now.getTime())
  return new Date(now.getTime() + Math.min(delayMs, ...untils.filter((untilMs) => untilMs > 0)))
}

function delayAfter(row: DomainRow, checksDone: number, now: Date): number {
  return hasExpired(row.first_checked_at, now) ? slowDelayMs : delaysMs[Math.min(checksDone, delaysMs.length - 1)]!
}

/** From 0 to 1, by the random end of an id. */
function shareOf(id: string): number {
  return Number.parseInt(id.slice(-4), 16) / 0x10000
}

/** Whether background checks go on: while something is looked for or runs out, and daily for a verified domain that is in DNS. */
export function isChecked(app: App, row: DomainRow): boolean {
  if (isAwaiting(row) || row.dkim_old_until !== null) return true
  return row.status === 'verified' && !verifiesAtOnce(app, row.name)
}

/** Names that can never be in DNS are for trying things out, which `capture` is too. */
export function verifiesAtOnce(app: App, name: string): boolean {
  return app.config.emailProvider === 'capture' && isReservedName(name)
}

/** Begins a new series of background checks; whoever still runs a check of the old one has lost its lease. */
export async function planChecks(tx: Tx, row: DomainRow, runAt: Date): Promise<void> {
  await stopChecks(tx, row.id)
  await enqueueJob(tx, checkDomainJob, { key: row.id, teamId: row.team_id, runAt })
}

export async function stopChecks(tx: Tx, id: string): Promise<void> {
  await deleteJob(tx, checkDomainJob, id)
}
