import type { Feature } from '../platform/feature.ts'
import { stopDashboard } from './current.ts'
import { dashboardRoutes } from './routes.ts'

export const dashboard: Feature = { name: 'dashboard', routes: dashboardRoutes, stop: stopDashboard }
