import type { App, Tx } from '../../context.ts'
import type { DomainError } from '../../platform/errors.ts'
import { findProfile, type Profile } from '../../teams/queries.ts'
import { type Login, lockLogin } from './queries.ts'
import { endReused, isOver, refused } from './refresh.ts'
import { readRefreshToken } from './refresh-token.ts'
import { wasUsedJustNow } from './used-tokens.ts'

/**
 * Checks a refresh token that is to be used up without a successor, and locks its login. A token that was used before
 * ends its login, except within 10 s of its use, when two requests of one client may have raced. Returns the refusal.
 */
export async function spendRefreshToken(
  tx: Tx,
  app: App,
  refreshToken: string,
): Promise<{ profile: Profile; login: Login } | DomainError> {
  const token = readRefreshToken(app.keyring, refreshToken)
  const login = token && (await lockLogin(tx, token.loginId))
  if (!token || !login || isOver(login, tx.now)) return refused()
  if (!login.tokenHash.equals(token.hash)) {
    return wasUsedJustNow(login, token, tx.now) ? refused() : endReused(tx, app, login, token)
  }
  const profile = await findProfile(tx.db, login.teamId, login.userId)
  return profile ? { profile, login } : refused()
}
