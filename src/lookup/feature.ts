import type { Feature } from '../platform/feature.ts'
import { lookupRoutes } from './routes.ts'

export const lookup: Feature = { name: 'lookup', routes: lookupRoutes }
