import type { Tx } from '../../context.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { endReplacedJob } from '../jobs.ts'
import { retryDelaysMs } from '../retry-delays.ts'
import { isReplaced } from './queries.ts'

export async function enqueueEndings(tx: Tx, subscriptionIds: string[]): Promise<void> {
  await enqueueJobs(
    tx,
    endReplacedJob,
    subscriptionIds.map((id) => ({ key: id })),
  )
}

/**
 * Ends at the provider a subscription that a later one of the team has replaced. Later events about it change nothing.
 */
export const endReplacedSubscription = defineJob(endReplacedJob, {
  concurrency: 2,
  retryDelaysMs,
  async run(app, { key }) {
    if (await isReplaced(app.db, app.payments.name, key)) await app.payments.endSubscription(key)
    return undefined
  },
})
