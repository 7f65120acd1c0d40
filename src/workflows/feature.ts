import type { Feature } from '../platform/feature.ts'
import { forgetExecutions } from './executions/forget.ts'
import { executionJobs, executionSchedules } from './executions/plug.ts'
import { executionRoutes } from './executions/routes.ts'
import { routes } from './routes.ts'
import { closeSandbox } from './sandbox/sandbox.ts'
import { triggerJobs, triggerSubscriptions } from './triggers/plug.ts'
import { triggerRoutes } from './triggers/routes.ts'

export const workflows: Feature = {
  name: 'workflows',
  routes: [...routes, ...executionRoutes, ...triggerRoutes],
  jobs: [...executionJobs, forgetExecutions, ...triggerJobs],
  subscriptions: triggerSubscriptions,
  schedules: executionSchedules,
  stop: closeSandbox,
}
