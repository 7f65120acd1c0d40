import type { App, Tx } from '../../context.ts'
import { forbidden } from '../../platform/errors.ts'
import { findProfile, findTeamIdOfUser, type Profile } from '../../teams/queries.ts'
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

/** Opens a login in the team the user joined first, and notes the network. Throws `forbidden` if the user has no team. */
export async function openLogin(
  tx: Tx,
  { keyring }: Pick<App, 'keyring'>,
  userId: string,
  clientAddress: string,
): Promise<OpenedLogin> {
  const teamId = await findTeamIdOfUser(tx.db, userId)
  const profile = teamId && (await findProfile(tx.db, teamId, userId))
  if (!profile) throw forbidden('This account is not a member of any team. Ask the owner of a team to add it.')
  const token = firstRefreshToken(keyring, tx.newId())
  const expiresAt = refreshTokenEnd(tx.now, tx.now)
  await insertLogin(tx, { familyId: token.familyId, userId, teamId, tokenHash: token.hash, expiresAt })
  await noteNetwork(tx, keyring, userId, clientAddress)
  return { profile, token }
}

export async function sessionOf(app: App, { profile, token }: OpenedLogin): Promise<Session> {
  const { user, team } = profile
  const accessToken = await issueAccessToken(app, { userId: user.id, teamId: team.id, familyId: token.familyId })
  return { accessToken, refreshToken: token.text, tokenType: 'Bearer', expiresIn: accessSeconds, user, team }
}
