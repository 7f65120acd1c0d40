import type { App, Caller, Tx } from '../../context.ts'
import { updatePasswordFrom } from '../../teams/account.ts'
import { findPasswordHash } from '../../teams/queries.ts'
import { deleteTokensOfAccess } from '../account-tokens/queries.ts'
import { recordAccountChange } from '../record-account-change.ts'
import { updateOtherLoginsRevoked } from '../sessions/queries.ts'
import { invalidPassword } from '../sessions/reauthenticate.ts'
import { BadAttempt, judgeAttempt, refuseThrottled } from '../throttle/guard.ts'
import { subjectsOfSession } from '../throttle/rules.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { hashPassword, verifyPassword } from './password.ts'

type PasswordChange = { currentPassword: string; password: string }

/**
 * Changes the password, ends every other session of the account, and its links that set the password or the
 * address. Throws `invalid`, named
 * `invalid_password`, if the current one is wrong, and `limitExceeded` after five wrong ones of the session in 15
 * minutes.
 */
export async function changePassword(
  app: App,
  caller: Caller,
  { currentPassword, password }: PasswordChange,
): Promise<{ changed: true }> {
  refuseCommonPassword(password)
  const subjects = subjectsOfSession(caller.id, caller.sessionId ?? '')
  await refuseThrottled(app.db, subjects, app.clock.now())
  const before = await findPasswordHash(app.db, caller.id)
  const matches = await verifyPassword(app, before, currentPassword)
  const passwordHash = matches ? await hashPassword(app, password) : ''
  const outcome = await app.transaction((tx) =>
    judgeAttempt(tx, subjects, async () => {
      if (!matches || !before) return new BadAttempt(invalidPassword())
      return (await change(tx, caller, { before, passwordHash })) ?? new BadAttempt(invalidPassword())
    }),
  )
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** Null if a reset or another change was faster. */
async function change(
  tx: Tx,
  { id: userId, teamId, sessionId = '' }: Caller,
  hashes: { before: string; passwordHash: string },
): Promise<{ changed: true } | null> {
  if (!(await updatePasswordFrom(tx, userId, hashes))) return null
  await updateOtherLoginsRevoked(tx, userId, sessionId)
  await deleteTokensOfAccess(tx, userId)
  await recordAccountChange(tx, { userId, teamId, action: 'user.password_changed' })
  return { changed: true }
}
