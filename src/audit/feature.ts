import { removeOldAuditEntries } from '../platform/audit/remove-old.ts'
import type { Feature } from '../platform/feature.ts'
import { auditRoutes } from './routes.ts'

export const audit: Feature = { name: 'audit', routes: auditRoutes, schedules: [removeOldAuditEntries] }
