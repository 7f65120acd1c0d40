import type { Tx } from '../context.ts'
import { deleteJob } from '../platform/jobs/claim.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import type { DomainRow } from './queries.ts'
import { hasExpired, isAwaiting, verificationMs } from './rules.ts'

export const checkKind = 'domains.check'

const minuteMs = 60_000
/** After each check in turn; the last one repeats. Most people publish their records within the hour. */
const delaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs]
/** Past the 72 hours only a DNS that does not answer is still asked. */
const slowDelayMs = 24 * 60 * minuteMs

/** When the check after `checksDone` of them is due. */
export function nextCheckAt(row: Pick<DomainRow, 'first_checked_at'>, checksDone: number, now: Date): Date {
  const delayMs = hasExpired(row.first_checked_at, now)
    ? slowDelayMs
    : delaysMs[Math.min(checksDone, delaysMs.length - 1)]!
  // One check falls at the end of the 72 hours, so that what has failed says so then.
  const endMs = row.first_checked_at ? row.first_checked_at.getTime() + verificationMs - now.getTime() : delayMs
  return new Date(now.getTime() + (endMs > 0 ? Math.min(delayMs, endMs) : delayMs))
}

/** Begins the series of background checks anew, or ends it; whoever still runs a check of the old one has lost its lease. */
export async function planChecks(tx: Tx, row: DomainRow, runAt: Date): Promise<void> {
  await stopChecks(tx, row.id)
  if (isAwaiting(row)) await enqueueJob(tx, { kind: checkKind, key: row.id, teamId: row.team_id, runAt })
}

export async function stopChecks(tx: Tx, id: string): Promise<void> {
  await deleteJob(tx, checkKind, id)
}
