import type { Feature } from '../platform/feature.ts'
import { deliverEmail } from './dispatch/deliver.ts'
import { resumeWaitingMail } from './dispatch/resume.ts'
import { foldCounts } from './list/fold-counts.ts'
import { emailRoutes } from './routes.ts'

export const emails: Feature = {
  name: 'emails',
  routes: emailRoutes,
  jobs: [deliverEmail],
  subscriptions: [resumeWaitingMail],
  schedules: [foldCounts],
}
