import type { Tx } from '../../context.ts'
import { defineJob, type TeamJob } from '../../platform/jobs/job.ts'
import { perApp } from '../../platform/per-app.ts'
import { deliverToEndpointJob } from '../jobs.ts'
import { lockWebhook } from '../queries.ts'
import { hasPlaceForSlow, isKnownSlow, slowAppointment } from './slow.ts'
import { workOff } from './work-off.ts'

/** Endpoints that this process delivers to at once. An endpoint that waits for an answer costs little. */
const endpointsMax = 1000

const turnsOf = perApp(() => ({ count: 0 }))

/** Delivers to one endpoint. Each endpoint has its own job, so a slow one does not delay others. */
export const deliverToEndpoint = defineJob(deliverToEndpointJob, {
  concurrency: endpointsMax,
  retryDelaysMs: [1000, 5000, 30_000],
  onRetry: refuseForDeleted,
  async run(app, job) {
    if (isKnownSlow(app, job.key) && !hasPlaceForSlow(app)) return { runAt: slowAppointment(app) }
    const turns = turnsOf(app)
    turns.count++
    try {
      return await workOff(app, job, { othersWait: () => turns.count >= endpointsMax })
    } finally {
      turns.count--
    }
  },
})

/** Locks the webhook, so that a deletion at the same moment finds the job and removes it. */
async function refuseForDeleted(tx: Tx, { teamId, key }: TeamJob): Promise<string | null> {
  const webhook = await lockWebhook(tx, teamId, key)
  return webhook ? null : 'The webhook was deleted. There is nothing left to deliver.'
}
