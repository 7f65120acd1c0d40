import type { Feature } from '../platform/feature.ts'
import { forgetDeliveries } from './deliveries/forget.ts'
import { deliveryRemovals } from './deliveries/removals.ts'
import { replayFailedDeliveries } from './deliveries/replay-failed.ts'
import { deliverToEndpoint } from './dispatch/deliver.ts'
import { fanOutEvents } from './fan-out.ts'
import { noteFailing } from './health/note-failing.ts'
import { switchOffFailing } from './health/switch-off.ts'
import { webhookRoutes } from './routes.ts'
import { sealedColumns } from './signing-secret.ts'
import { webhookTraces } from './traces.ts'

export const webhooks: Feature = {
  name: 'webhooks',
  routes: webhookRoutes,
  jobs: [deliverToEndpoint, forgetDeliveries, replayFailedDeliveries],
  subscriptions: [fanOutEvents],
  schedules: [noteFailing, switchOffFailing],
  sealed: sealedColumns,
  traces: webhookTraces,
  removals: deliveryRemovals,
}
