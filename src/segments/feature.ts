import type { Feature } from '../platform/feature.ts'
import { foldSegmentCounts } from './fold-counts.ts'
import { routes } from './routes.ts'

export const segments: Feature = { name: 'segments', routes, schedules: [foldSegmentCounts] }
