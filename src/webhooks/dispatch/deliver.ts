import type { JobDefinition } from '../../platform/jobs/job.ts'
import { deliverKind } from './wake.ts'
import { workOff } from './work-off.ts'

/** Endpoints of which this process works off deliveries side by side. */
const endpointsMax = 200

let turns = 0

/** Works off one endpoint. Each has a turn of its own, so a slow one delays no other's. */
export const deliverToEndpoint: JobDefinition = {
  kind: deliverKind,
  concurrency: endpointsMax,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, job) {
    turns++
    try {
      return await workOff(app, job, { othersWait: () => turns >= endpointsMax })
    } finally {
      turns--
    }
  },
}
