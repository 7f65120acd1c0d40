import type { Feature } from '../platform/feature.ts'
import { foldMetrics } from './fold.ts'
import { metricsRoutes } from './routes.ts'

export const metrics: Feature = { name: 'metrics', routes: metricsRoutes, schedules: [foldMetrics] }
