import type { App } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import type { Job, JobResult } from '../../../platform/jobs/job.ts'
import { returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { runKind } from './kinds.ts'

/** Lets a parked execution go on: from here on its team's turn decides when. */
export const unparkExecution: (app: App, job: Job) => Promise<JobResult> = gatheredFor(
  async (app, jobs) => {
    await app.transaction(async (tx) => {
      await returnHeldJobs(
        tx,
        jobs.map((lease) => ({ lease, runAt: tx.now, kind: runKind, isFresh: true as const })),
      )
      tx.afterCommit(() => tx.jobs.wake())
    })
    return jobs.map(() => 'settled' as const)
  },
  { itemsMax: 1000, flushesMax: 2 },
)
