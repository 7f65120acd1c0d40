import type { Feature } from '../platform/feature.ts'
import { flushKeyUses } from './note-use.ts'
import { apiKeyRoutes } from './routes.ts'

export const apiKeys: Feature = { name: 'api-keys', routes: apiKeyRoutes, stop: flushKeyUses }
