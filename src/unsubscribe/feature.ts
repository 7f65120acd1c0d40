import type { Feature } from '../platform/feature.ts'
import { unsubscribeRoutes } from './routes.ts'

export const unsubscribe: Feature = { name: 'unsubscribe', routes: unsubscribeRoutes }
