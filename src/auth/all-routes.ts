import type { Route } from '../platform/http/route.ts'
import { twoFactorRoutes } from './2fa/routes.ts'
import { accountRoutes } from './account/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { authRoutes } from './routes.ts'
import { sessionRoutes } from './sessions/routes.ts'

/** The routes of the folder and of its subfolders. */
export const allAuthRoutes: Route[] = [
  ...authRoutes,
  ...accountRoutes,
  ...twoFactorRoutes,
  ...sessionRoutes,
  ...invitationRoutes,
]
