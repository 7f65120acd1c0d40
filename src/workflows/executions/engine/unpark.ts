import type { App } from '../../../context.ts'
import { defineJob, type JobResult, type TeamJob } from '../../../platform/jobs/job.ts'
import { returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { runExecutionJob, unparkExecutionJob } from '../../jobs.ts'
import { adviseRerun, executionRetryDelaysMs, failDiscarded } from './give-up.ts'

/** Turns a parked execution into one that is run when it is its team's turn. */
const unparkExecution: (app: App, job: TeamJob) => Promise<JobResult> = gatheredFor(
  async (app, jobs) => {
    await app.transaction(async (tx) => {
      const returned = jobs.map((lease) => ({ lease, runAt: tx.now, kind: runExecutionJob, isFresh: true as const }))
      await returnHeldJobs(tx, returned)
      tx.afterCommit(() => tx.jobs.wake())
    })
    return jobs.map(() => 'recorded' as const)
  },
  { itemsMax: 1000, flushesMax: 2 },
)

export const unparkExecutions = defineJob(unparkExecutionJob, {
  atRestore: 'discard',
  concurrency: 1000,
  retryDelaysMs: executionRetryDelaysMs,
  run: unparkExecution,
  onDiscard: failDiscarded,
  onRetry: adviseRerun,
})
