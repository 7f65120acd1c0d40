import type { Feature } from '../platform/feature.ts'
import { templateRoutes } from './routes.ts'
import { templateTraces } from './traces.ts'

export const templates: Feature = { name: 'templates', routes: templateRoutes, traces: templateTraces }
