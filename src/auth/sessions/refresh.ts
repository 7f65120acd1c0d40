import type { App, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { type DomainError, unauthenticated } from '../../platform/errors.ts'
import { findProfile } from '../../teams/queries.ts'
import { endLogin } from './end.ts'
import { type OpenedLogin, type Session, sessionOf } from './open.ts'
import { type Login, lockLogin, updateLoginToken } from './queries.ts'
import { nextRefreshToken, type RefreshToken, readRefreshToken, refreshTokenEnd } from './refresh-token.ts'
import { presentToken, replaceToken, wasUsedJustNow } from './used-tokens.ts'

/**
 * Exchanges a refresh token for a session with the next token. A token that was used before ends its login, because
 * one of its two holders stole it. Within 10 s a repeat gets the login's present token instead. Throws
 * `unauthenticated`.
 */
export async function refreshSession(app: App, refreshToken: string): Promise<Session> {
  const token = readRefreshToken(app.keyring, refreshToken)
  if (!token) throw refused()
  // Returned, not thrown, because a revocation must be committed.
  const outcome = await app.transaction((tx) => exchange(tx, app, token))
  if (outcome instanceof Error) throw outcome
  return await sessionOf(app, outcome)
}

async function exchange(tx: Tx, app: App, token: RefreshToken): Promise<OpenedLogin | DomainError> {
  const login = await lockLogin(tx, token.loginId)
  if (!login || isOver(login, tx.now)) return refused()
  const isPresent = login.tokenHash.equals(token.hash)
  if (!isPresent && !wasUsedJustNow(login, token, tx.now)) return endReused(tx, app, login, token)
  const next = isPresent ? await rotate(tx, app, login, token) : presentToken(app.keyring, login, token)
  const profile = next && (await findProfile(tx.db, login.teamId, login.userId))
  return profile ? { profile, token: next } : refused()
}

async function rotate(tx: Tx, { keyring }: App, login: Login, token: RefreshToken): Promise<RefreshToken> {
  const next = nextRefreshToken(keyring, token)
  const { address, userAgent = null } = currentActor()
  await updateLoginToken(tx, { ...replaceToken(login, next, tx.now), address, userAgent })
  return next
}

export function isOver({ revokedAt, expiresAt, createdAt }: Login, now: Date): boolean {
  // Older tokens state a longer life than logins have now.
  return revokedAt !== null || expiresAt <= now || refreshTokenEnd(createdAt, now) <= now
}

/** Ends a login whose refresh token was used before, because one of its two holders stole it. Returns the refusal. */
export async function endReused(tx: Tx, app: App, login: Login, token: RefreshToken): Promise<DomainError> {
  await endLogin(tx, token.loginId)
  tx.afterCommit(() => alarm(app, login, token))
  return unauthenticated('This refresh token was already used, so its login was ended. Log in again.')
}

/** Logs the repeated use of a refresh token, which means that it was stolen. */
function alarm(app: App, { userId, teamId }: Login, { loginId }: RefreshToken): void {
  app.log.warn(
    { user: userId, team: teamId, login: loginId },
    'a used refresh token was presented again, so its login was ended: the token may have been stolen',
  )
}

export function refused(): DomainError {
  return unauthenticated('This refresh token is invalid or has expired. Log in again.')
}
