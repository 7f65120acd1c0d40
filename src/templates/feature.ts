import type { Feature } from '../platform/feature.ts'
import { templateRoutes } from './routes.ts'

export const templates: Feature = { name: 'templates', routes: templateRoutes }
