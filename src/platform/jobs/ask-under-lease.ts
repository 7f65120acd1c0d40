import type { App, Tx } from '../../context.ts'
import type { Job } from './job.ts'
import { endHeldJob } from './leases.ts'

/**
 * Asks a provider about a row that a job claims, and records the answer in the commit that removes the job. Called by
 * the request that claimed the row, or by the worker that takes the job over if that process dies. Throws `LeaseLost`,
 * and records nothing, if another process took the job over meanwhile. `record` locks rows before the job, as the
 * claims do.
 */
export async function askUnderLease<A, R>(
  app: App,
  job: Job,
  ask: () => Promise<A>,
  record: (tx: Tx, answer: A) => Promise<R>,
): Promise<R> {
  const release = app.jobs.hold(job)
  try {
    const answer = await ask()
    return await app.transaction(async (tx) => {
      const recorded = await record(tx, answer)
      await endHeldJob(tx, job)
      return recorded
    })
  } finally {
    release()
  }
}
