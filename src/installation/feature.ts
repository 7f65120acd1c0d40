import type { Feature } from '../platform/feature.ts'
import { installationRoutes } from './routes.ts'

export const installation: Feature = { name: 'installation', routes: installationRoutes }
