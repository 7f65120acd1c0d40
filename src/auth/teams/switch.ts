import type { App, Caller, Tx } from '../../context.ts'
import { conflict, type DomainError, notFound, orNotFound, unauthenticated } from '../../platform/errors.ts'
import { findProfile, type Profile } from '../../teams/queries.ts'
import { moveBrowserSession } from '../browser-sessions/move.ts'
import { type OpenedLogin, type Session, sessionOf } from '../sessions/open.ts'
import { lockLogin, updateLoginTeam } from '../sessions/queries.ts'
import { isOver } from '../sessions/refresh.ts'
import { nextRefreshToken } from '../sessions/refresh-token.ts'
import { replaceToken } from '../sessions/used-tokens.ts'

/**
 * Puts the login into another team of the user. Returns a session whose refresh token replaces the former one, as a
 * refresh does. Access tokens from before stay good for their team until they expire. A browser session gets no tokens:
 * it keeps its cookie, and the answer is that of `getMe`. Throws `notFound` for a team that the user is not a member
 * of.
 */
export async function switchTeam(app: App, caller: Caller, teamId: string): Promise<Session | Profile> {
  if (caller.isBrowser) {
    const moving = app.transaction((tx) => moveBrowserSession(tx, caller, teamId))
    return orNotFound('team', moving)
  }
  const outcome = await app.transaction((tx) => change(tx, app, caller, teamId))
  if (outcome instanceof Error) throw outcome
  return await sessionOf(app, outcome)
}

async function change(
  tx: Tx,
  { keyring }: Pick<App, 'keyring'>,
  { id: userId, sessionId = '' }: Caller,
  teamId: string,
): Promise<OpenedLogin | DomainError> {
  const profile = await findProfile(tx.db, teamId, userId)
  if (!profile) return notFound('team')
  const login = await lockLogin(tx, sessionId)
  if (!login || isOver(login, tx.now)) return unauthenticated('This session has ended. Log in again.')
  if (login.isBrowser) return conflict('This login is a browser session now. Switch it with its cookie.')
  const token = nextRefreshToken(keyring, { loginId: sessionId, hash: login.tokenHash })
  await updateLoginTeam(tx, { teamId, ...replaceToken(login, token, tx.now) })
  return { profile, token }
}
