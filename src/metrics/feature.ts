import type { Feature } from '../platform/feature.ts'
import { foldMetrics } from './fold.ts'
import { routes } from './routes.ts'

export const metrics: Feature = { name: 'metrics', routes, schedules: [foldMetrics] }
