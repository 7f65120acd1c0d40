import type { Feature } from '../platform/feature.ts'
import { mcpRoutes } from './routes.ts'

export const mcp: Feature = { name: 'mcp', routes: mcpRoutes }
