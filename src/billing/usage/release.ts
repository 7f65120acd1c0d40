import { sql } from 'kysely'
import type { App } from '../../context.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../platform/jobs/leases.ts'
import type { ReportUsageJob } from '../jobs.ts'
import { findNextReportAt } from './queries.ts'

/** While single messages wait for their retry, messages that are added meanwhile must not wait as long. */
const lookAgainMs = 5000
/** A transaction that charges or adds a report is about to commit. */
const busyMs = 1000

/**
 * Releases a team without due reports. A transaction that adds a report holds the team's credit. Once that lock is ours,
 * everything added before is visible, and whoever comes later finds no job and adds one.
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
    return 'settled'
  })
}
