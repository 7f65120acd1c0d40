import type { App, Caller, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { DomainError, unauthenticated } from '../../platform/errors.ts'
import { findPasswordHash } from '../../teams/queries.ts'
import { confirmedForMs } from '../../teams/refuse-stale-login.ts'
import { invalidCode } from '../2fa/invalid-code.ts'
import { spendCode } from '../2fa/spend-code.ts'
import { verifyPassword } from '../passwords/password.ts'
import { BadAttempt, judgeAttempt, refuseThrottled } from '../throttle/guard.ts'
import { subjectsOfSession } from '../throttle/rules.ts'
import { updateLoginConfirmed } from './queries.ts'

/** One of the two is given. */
type Proof = { password?: string; code?: string }
type Reauthenticated = { reauthenticated: true; until: Date }

/**
 * Takes the password or a code again, which stands for 15 minutes in this login. Throws `invalid`, named
 * `invalid_password` or `invalid_two_factor_code`, for a wrong one, and `limitExceeded` after five wrong ones of the
 * login in 15 minutes.
 */
export async function reauthenticate(app: App, caller: Caller, { password, code }: Proof): Promise<Reauthenticated> {
  const { id: userId, sessionId = '' } = caller
  const subjects = subjectsOfSession(userId, sessionId)
  await refuseThrottled(app.db, subjects, app.clock.now())
  const matches = password !== undefined && (await matchesPassword(app, userId, password))
  const outcome = await app.transaction((tx) =>
    judgeAttempt(tx, subjects, async () => {
      if (password !== undefined && !matches) return new BadAttempt(invalidPassword())
      if (code !== undefined && !(await spendCode(tx, app.keyring, userId, code))) return new BadAttempt(invalidCode())
      return confirm(tx, caller, sessionId)
    }),
  )
  if (outcome instanceof Error) throw outcome
  return outcome
}

async function matchesPassword(app: App, userId: string, password: string): Promise<boolean> {
  return verifyPassword(app, await findPasswordHash(app.db, userId), password)
}

async function confirm(tx: Tx, { teamId }: Caller, sessionId: string): Promise<Reauthenticated | DomainError> {
  if (!(await updateLoginConfirmed(tx, sessionId))) return unauthenticated('This session has ended. Log in again.')
  await recordChange(tx, { teamId, action: 'session.reauthenticated', target: { type: 'session', id: sessionId } })
  return { reauthenticated: true, until: new Date(tx.now.getTime() + confirmedForMs) }
}

/** The refusal of a wrong password from a signed-in user: the request is invalid (400), the session stays valid. */
export function invalidPassword(): DomainError {
  return new DomainError(
    'invalid',
    'The password is wrong, or this account has none. Send the password, send a code of the authenticator app, or sign in again through the provider.',
    { name: 'invalid_password' },
  )
}
