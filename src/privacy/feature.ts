import type { Feature } from '../platform/feature.ts'
import { cleanUpExports } from './clean-up.ts'
import { sealedColumns } from './create.ts'
import { privacyRoutes } from './routes.ts'
import { runPrivacy } from './run.ts'

export const privacy: Feature = {
  name: 'privacy',
  routes: privacyRoutes,
  jobs: [runPrivacy],
  schedules: [cleanUpExports],
  sealed: sealedColumns,
}
