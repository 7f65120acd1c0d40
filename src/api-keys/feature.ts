import type { Feature } from '../platform/feature.ts'
import { keyUses } from './note-use.ts'
import { apiKeyRoutes } from './routes.ts'
import { apiKeyTraces } from './traces.ts'

export const apiKeys: Feature = { name: 'api-keys', routes: apiKeyRoutes, stop: keyUses.flush, traces: apiKeyTraces }
