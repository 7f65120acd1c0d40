import type { Feature } from '../platform/feature.ts'
import { suppressionRoutes } from './routes.ts'

export const suppressions: Feature = { name: 'suppressions', routes: suppressionRoutes }
