import type { App, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { conflict } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { lockAccount, updateAddress } from '../../teams/account.ts'
import { findTeamIdOfUser } from '../../teams/queries.ts'
import { invalidToken } from '../account-tokens/invalid-token.ts'
import { deleteMailedTokens, spendToken } from '../account-tokens/queries.ts'
import { hashToken } from '../account-tokens/token.ts'
import { recordAccountChange } from '../record-account-change.ts'
import { updateLoginsRevoked } from '../sessions/queries.ts'

/**
 * Gives an account the address that the token was mailed to, which proves it. As after a reset, every session of the
 * account and every other link that was mailed for it ends; password, second factor, linked providers and API keys
 * stay. Throws `invalid`, named `invalid_token`, and `conflict` if the address has got an account meanwhile.
 */
export async function changeAddress(app: App, token: string): Promise<{ changed: true }> {
  try {
    return await app.transaction((tx) => change(tx, app, hashToken(token)))
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'users_email_lower_key') throw error
    throw conflict('This address has got an account of its own since the link was mailed. Log in to that one.')
  }
}

async function change(tx: Tx, { config }: Pick<App, 'config'>, tokenHash: Buffer): Promise<{ changed: true }> {
  const spent = await spendToken(tx, 'email_change', tokenHash)
  if (!spent?.email) throw invalidToken()
  const { userId, email } = spent
  // Taken first, as by a login, so that a login with the old address is either refused or revoked below.
  const account = await lockAccount(tx, userId)
  if (!account) throw invalidToken()
  await updateAddress(tx, userId, email)
  await updateLoginsRevoked(tx, userId)
  await deleteMailedTokens(tx, userId)
  const changes = { email: { from: account.email, to: email } }
  await recordAccountChange(tx, { userId, action: 'user.email_changed', changes })
  const teamId = (await findTeamIdOfUser(tx.db, userId)) ?? config.systemTeam
  const data = { formerEmail: account.email, address: currentActor().address }
  if (teamId) await publish(tx, [{ type: 'account.address_changed', teamId, data }])
  return { changed: true }
}
