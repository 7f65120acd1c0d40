import type { Feature } from '../platform/feature.ts'
import { resumesAtNewLimits } from '../platform/jobs/resume-limited.ts'
import { dispatchBroadcast } from './dispatch/dispatch.ts'
import { followEmails, followUnsent } from './dispatch/follow-emails.ts'
import { stopBroadcast } from './dispatch/stop.ts'
import { dispatchBroadcastJob } from './jobs.ts'
import { broadcastRoutes } from './routes.ts'
import { broadcastTraces } from './traces.ts'

export const broadcasts: Feature = {
  name: 'broadcasts',
  routes: broadcastRoutes,
  jobs: [dispatchBroadcast, stopBroadcast],
  subscriptions: [followEmails, followUnsent, resumesAtNewLimits(dispatchBroadcastJob)],
  traces: broadcastTraces,
}
