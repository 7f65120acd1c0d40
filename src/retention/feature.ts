import type { Feature } from '../platform/feature.ts'
import { retentionRoutes } from '../teams/retention/routes.ts'
import { lookForOld } from './look.ts'
import { removeOld } from './remove-old.ts'

export const retention: Feature = {
  name: 'retention',
  routes: retentionRoutes,
  jobs: [removeOld],
  schedules: [lookForOld],
}
