import type { Feature } from '../platform/feature.ts'
import { engineJobs } from './executions/engine/run.ts'
import { forgetExecutions } from './executions/forget.ts'
import { executionRemovals } from './executions/removals.ts'
import { executionRoutes } from './executions/routes.ts'
import { executionTraces } from './executions/traces.ts'
import { sealedColumns } from './graph/secrets.ts'
import { workflowRoutes } from './routes.ts'
import { closeSandbox } from './sandbox/sandbox.ts'
import { workflowTraces } from './traces.ts'
import { listenToEvents } from './triggers/events/listen.ts'
import { startForEvents } from './triggers/events/start.ts'
import { triggerRoutes } from './triggers/routes.ts'
import { fireSchedule } from './triggers/schedule/fire.ts'

export const workflows: Feature = {
  name: 'workflows',
  routes: [...workflowRoutes, ...executionRoutes, ...triggerRoutes],
  jobs: [...engineJobs, forgetExecutions, startForEvents, fireSchedule],
  subscriptions: [listenToEvents],
  sealed: sealedColumns,
  stop: closeSandbox,
  traces: [...executionTraces, ...workflowTraces],
  removals: executionRemovals,
}
