import type { Feature } from '../platform/feature.ts'
import { rateLimitRoutes } from './routes.ts'

export const rateLimits: Feature = { name: 'rate-limits', routes: rateLimitRoutes }
