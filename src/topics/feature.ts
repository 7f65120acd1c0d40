import type { Feature } from '../platform/feature.ts'
import { topicFolds } from './fold-counts.ts'
import { topicRoutes } from './routes.ts'
import { topicTraces } from './traces.ts'

export const topics: Feature = { name: 'topics', routes: topicRoutes, folds: topicFolds, traces: topicTraces }
