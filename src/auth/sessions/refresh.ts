import type { App, Tx } from '../../context.ts'
import { type DomainError, unauthenticated } from '../../platform/errors.ts'
import { findProfile } from '../../teams/queries.ts'
import { type OpenedLogin, type Session, sessionOf } from './open.ts'
import { findLoginForUpdate, type Login, updateLoginRevoked, updateLoginToken } from './queries.ts'
import { nextRefreshToken, type RefreshToken, readRefreshToken, refreshTokenEnd } from './refresh-token.ts'

/** Decided: requests that race with one token within 10 s all succeed. */
const graceMs = 10_000

/**
 * Exchanges a refresh token for a session with its successor. One that was used before revokes its family, since either
 * its holder or whoever exchanged it is a thief; so it also does within the 10 s once the successor itself was used.
 * Throws `unauthenticated`.
 */
export async function refreshSession(app: App, refreshToken: string): Promise<Session> {
  const token = readRefreshToken(app.keyring, refreshToken)
  if (!token) throw refused()
  // Given back rather than thrown: a revocation must be committed.
  const outcome = await app.transaction((tx) => exchange(tx, app, token))
  if (outcome instanceof Error) throw outcome
  return await sessionOf(app, outcome)
}

async function exchange(tx: Tx, app: App, token: RefreshToken): Promise<OpenedLogin | DomainError> {
  const login = await findLoginForUpdate(tx, token.familyId)
  if (!login || login.revokedAt || login.expiresAt <= tx.now) return refused()
  const expiresAt = refreshTokenEnd(login.createdAt, tx.now)
  // Tokens from before logins had an end promise more.
  if (expiresAt <= tx.now) return refused()
  const next = successorOf(app, login, token)
  const use = useOf(login, token, next, tx.now)
  if (use === 'again') {
    await updateLoginRevoked(tx, token.familyId)
    tx.afterCommit(() => alarm(app, login, token))
    return unauthenticated('This refresh token was used before, so its login has been ended. Log in again.')
  }
  if (use === 'first') await updateLoginToken(tx, { familyId: token.familyId, tokenHash: next.hash, expiresAt })
  const profile = await findProfile(tx.db, login.teamId, login.userId)
  return profile ? { profile, token: next } : refused()
}

/** The successor that was stored, where another secret than the newest made it in the last seconds; else a new one. */
function successorOf({ keyring }: Pick<App, 'keyring'>, login: Login, token: RefreshToken): RefreshToken {
  const older = keyring.previous.map((ring) => nextRefreshToken(ring, token))
  return older.find(({ hash }) => login.tokenHash.equals(hash)) ?? nextRefreshToken(keyring, token)
}

/** The holder of the token or the one who exchanged it is a thief: somebody should look. */
function alarm(app: App, { userId, teamId }: Login, { familyId }: RefreshToken): void {
  app.log.warn(
    { user: userId, team: teamId, login: familyId },
    'a used refresh token was presented again, so its login was ended: the token may have been stolen',
  )
}

function useOf(login: Login, token: RefreshToken, next: RefreshToken, now: Date): 'first' | 'racing' | 'again' {
  if (login.tokenHash.equals(token.hash)) return 'first'
  const wasLast = login.previousHash?.equals(token.hash) && login.tokenHash.equals(next.hash)
  return wasLast && now.getTime() - login.rotatedAt.getTime() <= graceMs ? 'racing' : 'again'
}

function refused(): DomainError {
  return unauthenticated('This refresh token is not valid, or not any more. Log in again.')
}
