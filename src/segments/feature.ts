import type { Feature } from '../platform/feature.ts'
import { foldSegmentCounts } from './fold-counts.ts'
import { segmentRoutes } from './routes.ts'
import { segmentTraces } from './traces.ts'

export const segments: Feature = {
  name: 'segments',
  routes: segmentRoutes,
  folds: [foldSegmentCounts],
  traces: segmentTraces,
}
