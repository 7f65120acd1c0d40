import type { Tx } from '../../context.ts'
import { enqueueOrHurryJobs } from '../../platform/jobs/enqueue.ts'

/** The job that works off one endpoint's deliveries; its key is the webhook's id. There is one while anything is pending. */
export const deliverKind = 'webhooks.deliver'

type Endpoint = { teamId: string; id: string }

/** What to call when an endpoint under way in this process gets something new, by webhook id. */
const underWay = new Map<string, () => void>()

/**
 * Lets an endpoint be worked off now. The webhook's row must be locked by this unit of work: who gives the endpoint's
 * job up locks it too, so that nothing added at the same time is overlooked (`release.ts`).
 */
export async function wakeEndpoints(tx: Tx, endpoints: Endpoint[]): Promise<void> {
  // One order for all, so that units of work that add the same jobs cannot deadlock.
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

/** Calls `wake` whenever this process adds something for the endpoint; call what it gives back when done. */
export function onNews(webhookId: string, wake: () => void): () => void {
  underWay.set(webhookId, wake)
  return () => {
    if (underWay.get(webhookId) === wake) underWay.delete(webhookId)
  }
}
