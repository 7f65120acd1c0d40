import type { Feature } from '../platform/feature.ts'
import { resumesAtNewLimits } from '../platform/jobs/resume-limited.ts'
import { deliverEmailJob } from './jobs.ts'
import { foldEmailCounts } from './list/count.ts'
import { deliverToDomain } from './messages/dispatch/by-domain/deliver.ts'
import { deliverEmail } from './messages/dispatch/deliver.ts'
import { emailProviders } from './providers/registry.ts'
import { emailRemovals } from './removals.ts'
import { emailRoutes } from './routes.ts'
import { emailTraces } from './traces.ts'
import { finishRecording } from './tracking/hits/record.ts'
import { trackingRoutes } from './tracking/routes.ts'

export const emails: Feature = {
  name: 'emails',
  routes: [...emailRoutes, ...trackingRoutes, ...emailProviders.flatMap((provider) => provider.routes)],
  jobs: [deliverEmail, deliverToDomain],
  subscriptions: [resumesAtNewLimits(deliverEmailJob)],
  folds: [foldEmailCounts],
  stop: finishRecording,
  traces: emailTraces,
  removals: emailRemovals,
}
