import type { Tx } from '../../context.ts'
import { enqueueOrHurryJobs } from '../../platform/jobs/enqueue.ts'

/** The job that delivers to one endpoint. Its key is the webhook's id. It exists while a delivery is pending. */
export const deliverKind = 'webhooks.deliver'

type Endpoint = { teamId: string; id: string }

/** Callbacks for new deliveries of endpoints that this process delivers to, by webhook id. */
const underWay = new Map<string, () => void>()

/**
 * Adds the jobs of endpoints, due now. The transaction must hold the webhooks' row locks. Releasing a job takes the same
 * lock, so that no delivery is overlooked (`release.ts`).
 */
export async function wakeEndpoints(tx: Tx, endpoints: Endpoint[]): Promise<void> {
  // Sorted, so that transactions that add the same jobs cannot deadlock.
  const sorted = [...endpoints].sort((left, right) => (left.id < right.id ? -1 : 1))
  await enqueueOrHurryJobs(
    tx,
    deliverKind,
    sorted.map(({ teamId, id }) => ({ key: id, teamId })),
  )
  tx.afterCommit(() => {
    for (const { id } of sorted) underWay.get(id)?.()
  })
}

/** Calls `wake` when this process adds a delivery for the endpoint. Returns a function that stops it. */
export function onNews(webhookId: string, wake: () => void): () => void {
  underWay.set(webhookId, wake)
  return () => {
    if (underWay.get(webhookId) === wake) underWay.delete(webhookId)
  }
}
