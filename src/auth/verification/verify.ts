import type { App, Tx } from '../../context.ts'
import { updateEmailVerified } from '../../teams/account.ts'
import { invalidToken } from '../account-tokens/invalid-token.ts'
import { deleteTokensOfUser, spendToken } from '../account-tokens/queries.ts'
import { hashToken } from '../account-tokens/token.ts'
import { recordAccountChange } from '../record-account-change.ts'

/** Verifies the address of an account with the token of a mailed link. Throws `invalid`, named `invalid_token`. */
export function verifyEmail(app: App, token: string): Promise<{ verified: true }> {
  return app.transaction((tx) => verify(tx, token))
}

async function verify(tx: Tx, token: string): Promise<{ verified: true }> {
  const spent = await spendToken(tx, 'email_verification', hashToken(token))
  if (!spent) throw invalidToken()
  const { userId } = spent
  await deleteTokensOfUser(tx, userId, 'email_verification')
  if (await updateEmailVerified(tx, userId)) {
    const changes = { emailVerified: { from: false, to: true } }
    await recordAccountChange(tx, { userId, action: 'user.email_verified', changes })
  }
  return { verified: true }
}
