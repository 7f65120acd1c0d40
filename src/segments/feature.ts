import type { Feature } from '../platform/feature.ts'
import { foldSegmentCounts } from './counts/fold.ts'
import { routes } from './routes.ts'

export const segments: Feature = { name: 'segments', routes, schedules: [foldSegmentCounts] }
