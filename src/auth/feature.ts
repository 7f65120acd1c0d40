import type { Feature } from '../platform/feature.ts'
import { sealedColumns } from './2fa/spend-code.ts'
import { allAuthRoutes } from './all-routes.ts'
import { cleanUpLogins } from './clean-up.ts'
import { endWithRole } from './invitations/end-with-role.ts'
import { invitationTraces } from './invitations/traces.ts'
import { requestReset } from './passwords/forgot.ts'
import { endWithMembership } from './sessions/end-with-membership.ts'
import { flushSessionUses } from './sessions/note-use.ts'

export const auth: Feature = {
  name: 'auth',
  routes: allAuthRoutes,
  jobs: [requestReset],
  subscriptions: [endWithMembership, endWithRole],
  schedules: [cleanUpLogins],
  sealed: sealedColumns,
  stop: flushSessionUses,
  traces: invitationTraces,
}
