import type { App, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { forbidden } from '../../platform/errors.ts'
import { publish } from '../../platform/events.ts'
import { keptAddress } from '../../platform/network/network.ts'
import { findProfile, type Profile } from '../../teams/queries.ts'
import { ensureTeamOfUser } from '../own-team.ts'
import { noteNetwork } from '../throttle/known-networks.ts'
import { accessSeconds, issueAccessToken } from './access-token.ts'
import { insertLogin } from './queries.ts'
import { firstRefreshToken, type RefreshToken, refreshTokenEnd } from './refresh-token.ts'

export type Session = Pick<Profile, 'user' | 'team'> & {
  accessToken: string
  refreshToken: string
  tokenType: 'Bearer'
  expiresIn: number
}

/** A login that is valid once its transaction commits. `sessionOf` turns it into a session. */
export type OpenedLogin = { profile: Profile; token: RefreshToken }

/**
 * Opens a login in `inTeam`, or in the team the user joined first, notes the network and records the sign-in. A network
 * that the account has not used before is announced to its owner, unless this is the account's first login. A user
 * whose last team is gone gets a new one. Throws `forbidden` if the account is removed meanwhile, and for such a user
 * where sign-up is closed.
 */
export async function openLogin(
  tx: Tx,
  app: Pick<App, 'keyring' | 'config'>,
  userId: string,
  clientAddress: string,
  { isFirst = false, inTeam }: { isFirst?: boolean; inTeam?: string } = {},
): Promise<OpenedLogin> {
  const teamId = inTeam ?? (await ensureTeamOfUser(tx, app, userId))
  const profile = teamId && (await findProfile(tx.db, teamId, userId))
  if (!profile) throw forbidden('This account or its team was removed just now. Log in again.')
  const { keyring, config } = app
  const token = firstRefreshToken(keyring, tx.newId())
  const expiresAt = refreshTokenEnd(tx.now, tx.now)
  const { userAgent = null, requestId } = currentActor()
  const address = keptAddress(config, clientAddress)
  const client = { address, userAgent }
  await insertLogin(tx, { loginId: token.loginId, userId, teamId, tokenHash: token.hash, expiresAt, ...client })
  await recordChange(tx, {
    teamId,
    action: 'user.signed_in',
    target: { type: 'user', id: userId, name: profile.user.email },
    actor: { type: 'user', id: userId, name: null, address, requestId },
  })
  const isUnknown = await noteNetwork(tx, keyring, userId, clientAddress)
  if (isUnknown && !isFirst) {
    await publish(tx, [{ type: 'account.signed_in_elsewhere', teamId, data: { userId, ...client } }])
  }
  return { profile, token }
}

export async function sessionOf(app: App, { profile, token }: OpenedLogin): Promise<Session> {
  const { user, team } = profile
  const accessToken = await issueAccessToken(app, { userId: user.id, teamId: team.id, loginId: token.loginId })
  return { accessToken, refreshToken: token.text, tokenType: 'Bearer', expiresIn: accessSeconds, user, team }
}
