import type { Feature } from '../platform/feature.ts'
import { foldTopicCounts } from './fold-counts.ts'
import { routes } from './routes.ts'

export const topics: Feature = { name: 'topics', routes, schedules: [foldTopicCounts] }
