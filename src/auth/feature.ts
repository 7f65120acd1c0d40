import type { Feature } from '../platform/feature.ts'
import { twoFactorRoutes } from './2fa/routes.ts'
import { cleanUpLogins } from './clean-up.ts'
import { authRoutes } from './routes.ts'

export const auth: Feature = {
  name: 'auth',
  routes: [...authRoutes, ...twoFactorRoutes],
  schedules: [cleanUpLogins],
}
