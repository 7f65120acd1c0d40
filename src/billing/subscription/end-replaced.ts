import type { Tx } from '../../context.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { hurryJobsByKey } from '../../platform/jobs/waiting-jobs.ts'
import { endReplacedJob } from '../jobs.ts'
import type { Payer } from '../payments/provider.ts'
import { retryDelaysMs } from '../retry-delays.ts'
import { isPaid } from './fold.ts'
import { findReplacing, listReplaced } from './queries.ts'

/** The wait before the provider is asked again whether a later subscription is paid. Its payment ends the wait. */
const askAgainMs = 10 * 60_000

/**
 * Adds a job for each subscription of a team that a later one has replaced, and makes waiting ones look again. Every
 * event of the team calls this, so that no two subscriptions are renewed for long.
 */
export async function enqueueEndings(tx: Tx, payer: Payer): Promise<void> {
  const ids = await listReplaced(tx.db, payer)
  if (ids.length === 0) return
  const jobs = ids.map((id) => ({ key: id }))
  await enqueueJobs(tx, endReplacedJob, jobs)
  await hurryJobsByKey(tx, endReplacedJob, ids)
}

/**
 * Ends at the provider a subscription that a later one of the team has replaced. Later events about it change nothing.
 * If the later one is known by its status only, the provider is asked: one that is unpaid replaces nothing yet.
 */
export const endReplacedSubscription = defineJob(endReplacedJob, {
  concurrency: 2,
  retryDelaysMs,
  // A subscription that is not ended is paid again each month.
  attemptsMax: Number.POSITIVE_INFINITY,
  async run(app, { key }) {
    const later = await findReplacing(app.db, app.payments.name, key)
    if (!later) return undefined
    const { id, state } = later
    if (!state.ended && !isPaid(state) && !(await app.payments.isSubscriptionPaid(id)))
      return { runAt: new Date(app.clock.now().getTime() + askAgainMs) }
    await app.payments.endSubscription(key)
    return undefined
  },
})
