import type { Feature } from '../platform/feature.ts'
import { renewCredits } from './credit/renew.ts'
import { paymentsProviders } from './payments/providers/registry.ts'
import { billingRoutes } from './routes.ts'
import { endReplacedSubscription } from './subscription/end-replaced.ts'
import { subscriptionRemovals } from './subscription/removals.ts'
import { subscriptionRoutes } from './subscription/routes.ts'
import { reportUsage, resumeUsageReports } from './usage/report.ts'

export const billing: Feature = {
  name: 'billing',
  routes: [...billingRoutes, ...subscriptionRoutes, ...paymentsProviders.flatMap((provider) => provider.routes)],
  jobs: [reportUsage, endReplacedSubscription, ...paymentsProviders.flatMap((provider) => provider.jobs ?? [])],
  subscriptions: [resumeUsageReports],
  schedules: [renewCredits, ...paymentsProviders.flatMap((provider) => provider.schedules ?? [])],
  removals: subscriptionRemovals,
}
