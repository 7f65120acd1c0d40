import type { Tx } from '../../context.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { endReplacedJob } from '../jobs.ts'
import { retryDelaysMs } from '../retry-delays.ts'
import { isReplaced } from './queries.ts'

/** How long the event of an unpaid checkout may arrive after a status of its subscription. Usually it takes seconds. */
const checkoutKnownAfterMs = 60 * 60_000

type Endings = { subscriptionIds: string[]; isLatestPaid: boolean }

/**
 * Adds jobs that end replaced subscriptions. They wait if the latest one is known by its status only, because its
 * checkout may turn out unpaid. It then replaces nothing.
 */
export async function enqueueEndings(tx: Tx, { subscriptionIds, isLatestPaid }: Endings): Promise<void> {
  const runAt = new Date(tx.now.getTime() + (isLatestPaid ? 0 : checkoutKnownAfterMs))
  await enqueueJobs(
    tx,
    endReplacedJob,
    subscriptionIds.map((id) => ({ key: id, runAt })),
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
