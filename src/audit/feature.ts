import { auditRemovals } from '../platform/audit/removals.ts'
import type { Feature } from '../platform/feature.ts'
import { auditRoutes } from './routes.ts'

export const audit: Feature = { name: 'audit', routes: auditRoutes, removals: auditRemovals }
