import type { Feature } from '../platform/feature.ts'
import { foldTopicCounts } from './counts/fold.ts'
import { routes } from './routes.ts'

export const topics: Feature = { name: 'topics', routes, schedules: [foldTopicCounts] }
