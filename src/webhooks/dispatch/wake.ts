import type { App, SentAtOnce, Tx } from '../../context.ts'
import { enqueueOrHurryJobs } from '../../platform/jobs/enqueue.ts'
import { perApp } from '../../platform/per-app.ts'
import { deliverToEndpointJob } from '../jobs.ts'

type Endpoint = { teamId: string; id: string }

/** The functions to call when an endpoint that this process is delivering to gets a new delivery, by webhook id. */
const listenersOf = perApp((_: App['jobs']) => new Map<string, () => void>())

/**
 * Adds the jobs of endpoints, due now. The transaction must hold the webhooks' row locks. Releasing a job takes the
 * same lock, so that no delivery is overlooked (`release.ts`).
 */
export async function wakeEndpoints(tx: Tx, endpoints: Endpoint[]): SentAtOnce {
  // Sorted, so that transactions that add the same jobs cannot deadlock.
  const sorted = [...endpoints].sort((left, right) => (left.id < right.id ? -1 : 1))
  tx.afterCommit(() => {
    for (const { id } of sorted) listenersOf(tx.jobs).get(id)?.()
  })
  const jobs = sorted.map(({ teamId, id }) => ({ key: id, teamId }))
  await enqueueOrHurryJobs(tx, deliverToEndpointJob, jobs)
}

/** Calls `wake` whenever this process adds a delivery for the endpoint. Returns a function that ends this. */
export function onNews({ jobs }: App, webhookId: string, wake: () => void): () => void {
  const listeners = listenersOf(jobs)
  listeners.set(webhookId, wake)
  return () => {
    if (listeners.get(webhookId) === wake) listeners.delete(webhookId)
  }
}
