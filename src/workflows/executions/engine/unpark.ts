import type { App } from '../../../context.ts'
import type { JobResult, TeamJob } from '../../../platform/jobs/job.ts'
import { returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { runExecutionJob } from '../../jobs.ts'

/** Turns a parked execution into one that is run when it is its team's turn. */
export const unparkExecution: (app: App, job: TeamJob) => Promise<JobResult> = gatheredFor(
  async (app, jobs) => {
    await app.transaction(async (tx) => {
      await returnHeldJobs(
        tx,
        jobs.map((lease) => ({ lease, runAt: tx.now, kind: runExecutionJob, isFresh: true as const })),
      )
      tx.afterCommit(() => tx.jobs.wake())
    })
    return jobs.map(() => 'settled' as const)
  },
  { itemsMax: 1000, flushesMax: 2 },
)
