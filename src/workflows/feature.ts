import type { Feature } from '../platform/feature.ts'
import { executionJobs } from './executions/plug.ts'
import { executionRoutes } from './executions/routes.ts'
import { routes } from './routes.ts'
import { closeSandbox } from './sandbox/sandbox.ts'
import { triggerJobs, triggerSubscriptions } from './triggers/plug.ts'
import { triggerRoutes } from './triggers/routes.ts'

export const workflows: Feature = {
  name: 'workflows',
  routes: [...routes, ...executionRoutes, ...triggerRoutes],
  jobs: [...executionJobs, ...triggerJobs],
  subscriptions: triggerSubscriptions,
  stop: closeSandbox,
}
