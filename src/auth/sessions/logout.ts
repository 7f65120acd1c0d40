import type { App } from '../../context.ts'
import { updateLoginRevoked } from './queries.ts'
import { readRefreshToken } from './refresh-token.ts'

/**
 * Ends a login: its refresh tokens and its access tokens are refused from now on. A token that is not good any more, or
 * never was, answers the same (RFC 7009, section 2.2): what the caller wanted is so.
 */
export async function logout(app: App, refreshToken: string): Promise<{ revoked: true }> {
  const token = readRefreshToken(app.keyring, refreshToken)
  if (token) await app.transaction((tx) => updateLoginRevoked(tx, token.familyId))
  return { revoked: true }
}
