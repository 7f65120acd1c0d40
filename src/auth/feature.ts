import type { Feature } from '../platform/feature.ts'
import { twoFactorRoutes } from './2fa/routes.ts'
import { sealedColumns } from './2fa/spend-code.ts'
import { cleanUpLogins } from './clean-up.ts'
import { requestReset } from './passwords/forgot.ts'
import { authRoutes } from './routes.ts'
import { flushSessionUses } from './sessions/note-use.ts'
import { sessionRoutes } from './sessions/routes.ts'

export const auth: Feature = {
  name: 'auth',
  routes: [...authRoutes, ...twoFactorRoutes, ...sessionRoutes],
  jobs: [requestReset],
  schedules: [cleanUpLogins],
  sealed: sealedColumns,
  stop: flushSessionUses,
}
