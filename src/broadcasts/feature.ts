import type { Feature } from '../platform/feature.ts'
import { dispatchBroadcast } from './dispatch/dispatch.ts'
import { followEmails, followWithdrawals } from './dispatch/follow-emails.ts'
import { resumeBroadcasts } from './dispatch/resume.ts'
import { stopBroadcast } from './dispatch/stop.ts'
import { broadcastRoutes } from './routes.ts'
import { broadcastTraces } from './traces.ts'

export const broadcasts: Feature = {
  name: 'broadcasts',
  routes: broadcastRoutes,
  jobs: [dispatchBroadcast, stopBroadcast],
  subscriptions: [followEmails, followWithdrawals, resumeBroadcasts],
  traces: broadcastTraces,
}
