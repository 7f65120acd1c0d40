import type { App, Tx } from '../context.ts'
import { type DomainError, unauthenticated } from '../platform/errors.ts'
import { lockAccount } from '../teams/account.ts'
import { findUserByEmail, type UserByEmail } from '../teams/queries.ts'
import { findTwoFactorSecrets } from '../teams/two-factor.ts'
import { spendCode } from './2fa/spend-code.ts'
import { verifyPassword } from './passwords/password.ts'
import { type OpenedLogin, openLogin, type Session, sessionOf } from './sessions/open.ts'
import { BadAttempt, judgeAttempt, refuseThrottled } from './throttle/guard.ts'
import { findLoginSubjects } from './throttle/known-networks.ts'

type LoginAttempt = { email: string; password: string; code?: string; clientAddress: string }

/**
 * Signs in with a password, and a code if two-factor is on. An account that does not exist or has no password takes the
 * same time and gets the same answer as a wrong password. Throws `unauthenticated`, and `limitExceeded` after too many
 * wrong passwords or codes. Failures from other networks do not block a network that the account has signed in from.
 */
export function login(app: App, attempt: LoginAttempt): Promise<Session> {
  return enterByPassword(app, attempt, (tx, userId) => openLogin(tx, app, userId, attempt.clientAddress))
}

/** Does what `login` does, with another way to open the session once password and code are right. */
export async function enterByPassword(
  app: App,
  { email, password, code, clientAddress }: LoginAttempt,
  open: (tx: Tx, userId: string) => Promise<OpenedLogin>,
): Promise<Session> {
  const subjects = await findLoginSubjects(app.db, app, email, clientAddress)
  await refuseThrottled(app.db, subjects, app.clock.now())
  const user = await findUserByEmail(app.db, email)
  const matches = await verifyPassword(app, user?.passwordHash ?? null, password)
  const outcome = await app.transaction((tx) =>
    judgeAttempt(tx, subjects, async () => {
      if (!user || !matches || !(await isCurrent(tx, user)))
        return new BadAttempt(unauthenticated('The email address or the password is wrong.'))
      return (await refuseWithoutCode(tx, app, user.id, code)) ?? open(tx, user.id)
    }),
  )
  if (outcome instanceof Error) throw outcome
  return await sessionOf(app, outcome)
}

/**
 * Tells whether the password is still the one that was checked. A reset or change that was faster made it an old one.
 */
async function isCurrent(tx: Tx, { id, passwordHash }: UserByEmail): Promise<boolean> {
  return (await lockAccount(tx, id))?.passwordHash === passwordHash
}

/**
 * Returns the refusal for a missing code, or null. A missing code does not count as a failure: the client asks the user
 * next.
 */
async function refuseWithoutCode(
  tx: Tx,
  app: App,
  userId: string,
  code: string | undefined,
): Promise<BadAttempt | DomainError | null> {
  const secrets = await findTwoFactorSecrets(tx.db, userId)
  if (!secrets?.secret) return null
  if (code === undefined) {
    return unauthenticated(
      'This account has two-factor on: send the code of the authenticator app too.',
      'two_factor_required',
    )
  }
  if (await spendCode(tx, app.keyring, userId, code)) return null
  return new BadAttempt(unauthenticated('The code is wrong, expired or already used.', 'invalid_two_factor_code'))
}
