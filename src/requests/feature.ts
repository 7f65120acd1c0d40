import type { Feature } from '../platform/feature.ts'
import { keepDaysOfRequests } from '../platform/request-log/days.ts'
import { stopRequestLog } from '../platform/request-log/note.ts'
import { requestRoutes } from './routes.ts'
import { requestTraces } from './traces.ts'

export const requests: Feature = {
  name: 'requests',
  routes: requestRoutes,
  schedules: [keepDaysOfRequests],
  stop: stopRequestLog,
  traces: requestTraces,
}
