import type { Feature } from '../platform/feature.ts'
import { routes } from './routes.ts'

export const templates: Feature = { name: 'templates', routes }
