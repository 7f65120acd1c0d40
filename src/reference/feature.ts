import type { Feature } from '../platform/feature.ts'
import { referenceRoutes } from './routes.ts'

export const reference: Feature = { name: 'reference', routes: referenceRoutes }
