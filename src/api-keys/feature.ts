import type { Feature } from '../platform/feature.ts'
import { flushKeyUses } from './note-use.ts'
import { routes } from './routes.ts'

export const apiKeys: Feature = { name: 'api-keys', routes, stop: flushKeyUses }
