import type { App, Tx } from '../../context.ts'
import { newValues } from '../../platform/audit/record.ts'
import { DomainError, unauthenticated } from '../../platform/errors.ts'
import { findTwoFactorSecrets } from '../../teams/two-factor.ts'
import { spendCode } from '../2fa/spend-code.ts'
import { recordAccountChange } from '../record-account-change.ts'
import { type OpenedLogin, openLogin } from '../sessions/open.ts'
import { BadAttempt, judgeAttempt } from '../throttle/guard.ts'
import { findLoginSubjects } from '../throttle/known-networks.ts'
import { type Pending, sealPending } from './pending-token.ts'
import { insertIdentity } from './queries.ts'

/** A sign-in to an account whose address both the account and the provider have verified. */
export type Joining = Pending & { twoFactorCode: string | undefined; clientAddress: string }

/**
 * Signs in through a provider, and adds one that is new to the account. An account with two-factor asks for a code: a
 * refusal holds a `pendingToken`, since the provider's own code cannot be used again.
 */
export async function join(tx: Tx, app: App, joining: Joining): Promise<OpenedLogin | DomainError> {
  const { userId, twoFactorCode } = joining
  const secrets = await findTwoFactorSecrets(tx.db, userId)
  if (!secrets?.secret) return enter(tx, app, joining)
  if (twoFactorCode === undefined) return refusal(app, joining, 'two_factor_required', codeIsNeeded)
  return joinWithCode(tx, app, { ...joining, twoFactorCode }, secrets)
}

const codeIsNeeded =
  'This account has two-factor on, and this sign-in with the provider needs its code. Send the code of the authenticator app as twoFactorCode, with this pendingToken.'

/** Joins with the code that was given. Wrong codes count like those of a login. */
export async function joinWithCode(
  tx: Tx,
  app: App,
  joining: Joining & { twoFactorCode: string },
  { email }: { email: string },
): Promise<OpenedLogin | DomainError> {
  const { userId, twoFactorCode, clientAddress } = joining
  const subjects = await findLoginSubjects(tx.db, app, email, clientAddress)
  return judgeAttempt(tx, subjects, async () => {
    if (await spendCode(tx, app.keyring, userId, twoFactorCode)) return enter(tx, app, joining)
    const message = 'The code is wrong, expired or already used. Send another one with this pendingToken.'
    return new BadAttempt(refusal(app, joining, 'invalid_two_factor_code', message))
  })
}

/** Signs in, and adds an identity that is new. Its unique row limits a pending token to one sign-in. */
async function enter(tx: Tx, app: App, joining: Joining): Promise<OpenedLogin | DomainError> {
  const { clientAddress, isLinked, ...identity } = joining
  const { userId, provider } = identity
  if (isLinked) return openLogin(tx, app, userId, clientAddress)
  if (await insertIdentity(tx, identity)) {
    const login = await openLogin(tx, app, userId, clientAddress)
    await recordAccountChange(tx, { userId, action: 'user.provider_linked', changes: newValues({ provider }) })
    return login
  }
  return unauthenticated('Another request finished this sign-in. Start again at the sign-in provider.')
}

function refusal(app: App, joining: Joining, name: string, message: string): DomainError {
  const { provider, issuer, subject, userId, isLinked = false } = joining
  const pendingToken = sealPending(app, { provider, issuer, subject, userId, isLinked })
  return new DomainError('unauthenticated', message, { name, extra: { pendingToken } })
}
