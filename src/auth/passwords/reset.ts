import { deleteKeysOfPerson } from '../../api-keys/delete-of-person.ts'
import type { App, Tx } from '../../context.ts'
import { lockAccount, updatePasswordByLink } from '../../teams/account.ts'
import { removeTwoFactor } from '../2fa/remove.ts'
import { invalidToken } from '../account-tokens/invalid-token.ts'
import { deleteTokensOfAccess, findUserOfToken, type SpentToken, spendToken } from '../account-tokens/queries.ts'
import { hashToken } from '../account-tokens/token.ts'
import { deleteIdentitiesOfUser } from '../oauth/queries.ts'
import { recordAccountChange } from '../record-account-change.ts'
import { updateLoginsRevoked } from '../sessions/queries.ts'
import { deleteNetworksOfUser, noteNetwork } from '../throttle/known-networks.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { hashPassword } from './password.ts'

/**
 * Sets the password with the token of a link, which also verifies the address. Ends every session of the account and
 * keeps its second factor, unless the address had never been proven: then what another person may have left goes.
 * Throws `invalid`, named `invalid_token`, for a token that is unknown, used or expired.
 */
export async function resetPassword(
  app: App,
  { token, password, clientAddress }: { token: string; password: string; clientAddress: string },
): Promise<{ reset: true }> {
  refuseCommonPassword(password)
  const tokenHash = hashToken(token)
  // Checked before the costly hash, so that only a valid token causes one.
  if (!(await findUserOfToken(app.db, 'password_reset', tokenHash, app.clock.now()))) throw invalidToken()
  const passwordHash = await hashPassword(app, password)
  return await app.transaction((tx) => reset(tx, app, { tokenHash, passwordHash, clientAddress }))
}

async function reset(
  tx: Tx,
  { keyring }: Pick<App, 'keyring'>,
  { tokenHash, passwordHash, clientAddress }: { tokenHash: Buffer; passwordHash: string; clientAddress: string },
): Promise<{ reset: true }> {
  const spent = await spendToken(tx, 'password_reset', tokenHash)
  if (!spent) throw invalidToken()
  const { userId, issuedBy } = spent
  // Taken first, as by a login, so that a login with the old password is either refused or revoked below.
  const account = await lockAccount(tx, userId)
  await updateLoginsRevoked(tx, userId)
  if (!account?.emailVerifiedAt) await forgetFormerHolder(tx, spent)
  await updatePasswordByLink(tx, userId, passwordHash)
  // Another person may have used the account until now.
  await deleteNetworksOfUser(tx, userId)
  await noteNetwork(tx, keyring, userId, clientAddress)
  await deleteTokensOfAccess(tx, userId)
  const proven = { emailVerified: { from: false, to: true } }
  const changes = { linkFrom: { from: null, to: issuedBy }, ...(!account?.emailVerifiedAt && proven) }
  await recordAccountChange(tx, { userId, action: 'user.password_reset', changes })
  return { reset: true }
}

/**
 * Removes what another person may have left in an account whose address was never proven: linked providers, and after a
 * mailed link also the second factor and API keys. An operator's link keeps those two. Sessions end with every reset.
 */
async function forgetFormerHolder(tx: Tx, { userId, issuedBy }: SpentToken): Promise<void> {
  await deleteIdentitiesOfUser(tx, userId)
  if (issuedBy === 'operator') return
  await removeTwoFactor(tx, userId)
  await deleteKeysOfPerson(tx, userId)
}
