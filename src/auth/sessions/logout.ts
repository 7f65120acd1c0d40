import type { App } from '../../context.ts'
import { endLogin } from './end.ts'
import { readRefreshToken } from './refresh-token.ts'

/**
 * Ends a login: its refresh and access tokens are refused from now on. An expired or unknown token gets the same answer
 * (RFC 7009, section 2.2).
 */
export async function logout(app: App, refreshToken: string): Promise<{ revoked: true }> {
  const token = readRefreshToken(app.keyring, refreshToken)
  if (token) await app.transaction((tx) => endLogin(tx, token.loginId, { isByUser: true }))
  return { revoked: true }
}
