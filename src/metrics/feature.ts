import type { Feature } from '../platform/feature.ts'
import { metricFolds } from './fold.ts'
import { metricsRoutes } from './routes.ts'

export const metrics: Feature = { name: 'metrics', routes: metricsRoutes, folds: metricFolds }
