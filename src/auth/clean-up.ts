import type { App } from '../context.ts'
import type { Schedule } from '../platform/jobs/job.ts'
import { deleteExpiredTokens } from './account-tokens/queries.ts'
import { deleteExpiredLogins } from './sessions/queries.ts'
import { deleteOldNetworks } from './throttle/known-networks.ts'
import { deleteOldFailures } from './throttle/queries.ts'

/** Removes what no request asks for any more: logins past their last refresh token, failures past their window, links past their end, networks without a sign-in for long. */
export const cleanUpLogins: Schedule = {
  kind: 'auth.clean-up',
  everyMs: 3_600_000,
  async run(app: App) {
    await app.transaction(deleteExpiredLogins)
    await app.transaction(deleteOldFailures)
    await app.transaction(deleteOldNetworks)
    await app.transaction(deleteExpiredTokens)
  },
}
