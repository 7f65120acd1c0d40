import { sql } from 'kysely'
import type { App } from '../../context.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../platform/jobs/leases.ts'
import type { ReportUsageJob } from '../jobs.ts'
import { findNextReportAt } from './queries.ts'

/** The longest wait before the next round, so that new messages need not wait as long as messages that are retried. */
const lookAgainMs = 5000
/** The wait if another transaction, which is about to commit, holds the team's credit. */
const busyMs = 1000

/**
 * Releases a team without due reports. A transaction that adds a report holds the lock of the team's credit. Under that
 * lock, all earlier reports are visible, and a later transaction finds no job and adds one.
 */
export function releaseTeam(
  app: App,
  job: ReportUsageJob,
  payload: ReportUsageJob['payload'],
): Promise<JobResult<ReportUsageJob['payload']>> {
  return app.transaction(async (tx) => {
    const { rows } = await sql`
      select team_id from sms_credit where team_id = ${job.teamId} for update skip locked
    `.execute(tx.db)
    if (rows.length === 0) return { runAt: new Date(tx.now.getTime() + busyMs), payload }
    const next = await findNextReportAt(tx.db, job.teamId)
    if (next) return { runAt: new Date(Math.min(next.getTime(), tx.now.getTime() + lookAgainMs)), payload }
    await deleteHeldJobs(tx, [job])
    return 'recorded'
  })
}
