import type { Feature } from '../platform/feature.ts'
import { foldCounts } from './list/fold-counts.ts'
import { deliverToDomain } from './messages/dispatch/by-domain/deliver.ts'
import { deliverEmail } from './messages/dispatch/deliver.ts'
import { resumeWaitingMail } from './messages/dispatch/resume.ts'
import { sesRoutes } from './providers/ses/routes.ts'
import { foldStoredBytes } from './quota/fold-stored-bytes.ts'
import { emailRoutes } from './routes.ts'
import { finishRecording } from './tracking/hits/record.ts'
import { trackingRoutes } from './tracking/routes.ts'

export const emails: Feature = {
  name: 'emails',
  routes: [...emailRoutes, ...trackingRoutes, ...sesRoutes],
  jobs: [deliverEmail, deliverToDomain],
  subscriptions: [resumeWaitingMail],
  schedules: [foldCounts, foldStoredBytes],
  stop: finishRecording,
}
