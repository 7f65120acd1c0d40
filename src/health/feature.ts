import type { Feature } from '../platform/feature.ts'
import { healthRoutes } from './routes.ts'

export const health: Feature = { name: 'health', routes: healthRoutes }
