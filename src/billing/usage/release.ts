import { sql } from 'kysely'
import type { App } from '../../context.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../platform/jobs/leases.ts'
import type { ReportUsageJob } from '../jobs.ts'
import { findNextReportAt } from './queries.ts'

/** While single messages wait to be repeated, what is added meanwhile is not to wait as long. */
const lookAgainMs = 5000
/** Somebody who charges or adds is committing by now. */
const busyMs = 1000

/**
 * Gives a team up that nothing is due of. Whoever adds a report holds the team's credit; once that lock is ours, everything
 * added before is seen, and whoever comes later finds no job and adds one.
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
