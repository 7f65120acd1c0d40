import type { Feature } from '../platform/feature.ts'
import { dispatchBroadcast } from './dispatch/dispatch.ts'
import { followEmails, followWithdrawals } from './dispatch/follow-emails.ts'
import { resumeBroadcasts } from './dispatch/resume.ts'
import { broadcastRoutes } from './routes.ts'
import { broadcastTraces } from './traces.ts'

export const broadcasts: Feature = {
  name: 'broadcasts',
  routes: broadcastRoutes,
  jobs: [dispatchBroadcast],
  subscriptions: [followEmails, followWithdrawals, resumeBroadcasts],
  traces: broadcastTraces,
}
