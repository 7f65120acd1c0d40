import type { JobDefinition } from '../../platform/jobs/job.ts'
import { appointment, hasPlaceForSlow, isKnownSlow } from './slow.ts'
import { deliverKind } from './wake.ts'
import { workOff } from './work-off.ts'

/** Endpoints of which this process works off deliveries side by side; one that waits for answers costs little. */
const endpointsMax = 1000

let turns = 0

/** Works off one endpoint. Each has a turn of its own, so a slow one delays no other's. */
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
