import type { App } from '../context.ts'
import type { Schedule } from '../platform/jobs/job.ts'
import { deleteExpiredTokens } from './account-tokens/queries.ts'
import { deleteExpiredInvitations } from './invitations/queries.ts'
import { deleteExpiredLogins } from './sessions/queries.ts'
import { deleteOldNetworks } from './throttle/known-networks.ts'
import { deleteOldFailures } from './throttle/queries.ts'

/**
 * Deletes expired rows: logins, failed attempts, account links, invitations, and networks without a sign-in for 90
 * days.
 */
export const cleanUpLogins: Schedule = {
  kind: 'auth.clean-up',
  everyMs: 3_600_000,
  async run(app: App) {
    await app.transaction(deleteExpiredLogins)
    await app.transaction(deleteOldFailures)
    await app.transaction(deleteOldNetworks)
    await app.transaction(deleteExpiredTokens)
    await app.transaction(deleteExpiredInvitations)
  },
}
