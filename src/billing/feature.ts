import type { Feature } from '../platform/feature.ts'
import { renewCredits } from './credit/renew.ts'
import { deliverSandboxEvent } from './payments/providers/sandbox/deliver.ts'
import { renewSandbox } from './payments/providers/sandbox/renew.ts'
import { sandboxRoutes } from './payments/providers/sandbox/routes.ts'
import { billingRoutes } from './routes.ts'
import { endReplacedSubscription } from './subscription/end-replaced.ts'
import { forgetStrangers } from './subscription/forget-strangers.ts'
import { subscriptionRoutes } from './subscription/routes.ts'
import { reportUsage } from './usage/report.ts'
import { resumeUsageReports } from './usage/resume.ts'

export const billing: Feature = {
  name: 'billing',
  routes: [...billingRoutes, ...subscriptionRoutes, ...sandboxRoutes],
  jobs: [reportUsage, endReplacedSubscription, deliverSandboxEvent],
  subscriptions: [resumeUsageReports],
  schedules: [renewCredits, renewSandbox, forgetStrangers],
}
