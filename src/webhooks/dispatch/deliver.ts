import type { JobDefinition } from '../../platform/jobs/job.ts'
import { appointment, hasPlaceForSlow, isKnownSlow } from './slow.ts'
import { deliverKind } from './wake.ts'
import { workOff } from './work-off.ts'

/** Endpoints that this process delivers to at once. An endpoint that waits for an answer costs little. */
const endpointsMax = 1000

let turns = 0

/** Delivers to one endpoint. Each endpoint has its own job, so a slow one does not delay others. */
export const deliverToEndpoint: JobDefinition = {
  kind: deliverKind,
  concurrency: endpointsMax,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, job) {
    if (isKnownSlow(job.key!) && !hasPlaceForSlow()) return { runAt: appointment(app.clock.now()) }
    turns++
    try {
      return await workOff(app, job, { othersWait: () => turns >= endpointsMax })
    } finally {
      turns--
    }
  },
}
