import type { Feature } from '../platform/feature.ts'
import { twoFactorRoutes } from './2fa/routes.ts'
import { sealedColumns } from './2fa/spend-code.ts'
import { accountRoutes } from './account/routes.ts'
import { endWithRole } from './invitations/end-with-role.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { invitationTraces } from './invitations/traces.ts'
import { requestReset } from './passwords/forgot.ts'
import { authRemovals } from './removals.ts'
import { authRoutes } from './routes.ts'
import { endWithMembership } from './sessions/end-with-membership.ts'
import { sessionUses } from './sessions/note-use.ts'
import { sessionRoutes } from './sessions/routes.ts'

export const auth: Feature = {
  name: 'auth',
  routes: [...authRoutes, ...accountRoutes, ...twoFactorRoutes, ...sessionRoutes, ...invitationRoutes],
  jobs: [requestReset],
  subscriptions: [endWithMembership, endWithRole],
  sealed: sealedColumns,
  stop: sessionUses.flush,
  traces: invitationTraces,
  removals: authRemovals,
}
