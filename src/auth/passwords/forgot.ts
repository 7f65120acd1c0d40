import type { App } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { defineJob, systemJob } from '../../platform/jobs/job.ts'
import { findTeamIdOfUser, findUserByEmail } from '../../teams/queries.ts'
import { countAttempt } from '../throttle/guard.ts'
import { subjectsOfForgot } from '../throttle/rules.ts'

/** Looks up an account for which a reset link was asked. Its key is new for each request. */
const requestResetJob = systemJob<{ email: string }>('auth.request-reset')

/**
 * Asks for a link that sets the password. A job looks the account up later, so the answer and its time are the same
 * whether or not it exists. In an hour, three requests for one account and 30 from one address are followed; further
 * ones get the same answer and no mail.
 */
export async function forgotPassword(app: App, email: string, clientAddress: string): Promise<{ sent: true }> {
  const emailLower = email.toLowerCase()
  const subjects = subjectsOfForgot(emailLower, clientAddress)
  await app.transaction(async (tx) => {
    if ((await countAttempt(tx, subjects)) !== null) return
    await enqueueJob(tx, requestResetJob, { key: tx.newId(), payload: { email: emailLower } })
  })
  return { sent: true }
}

/** Publishes that a reset was asked for, if the address has an account. */
export const requestReset = defineJob(requestResetJob, {
  atRestore: 'discard',
  retryDelaysMs: [1000, 10_000, 60_000],
  concurrency: 2,
  async run(app, { payload: { email } }) {
    await app.transaction(async (tx) => {
      const user = await findUserByEmail(tx.db, email)
      // A user without a team gets one at the next login at the earliest, so the mail is of the installation's team.
      const teamId = user && ((await findTeamIdOfUser(tx.db, user.id)) ?? app.config.systemTeam)
      if (teamId) await publish(tx, [{ type: 'account.reset_requested', teamId, data: { userId: user.id } }])
    })
    return undefined
  },
})
