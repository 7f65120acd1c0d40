import type { Feature } from '../platform/feature.ts'
import { feedRoutes } from './routes.ts'

export const feed: Feature = { name: 'feed', routes: feedRoutes }
