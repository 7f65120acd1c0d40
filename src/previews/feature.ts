import type { Feature } from '../platform/feature.ts'
import { previewRoutes } from './routes.ts'

export const previews: Feature = { name: 'previews', routes: previewRoutes }
