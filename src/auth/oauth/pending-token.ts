import type { App } from '../../context.ts'

/** Enough to open the authenticator app and type its code. */
const lifeMs = 5 * 60_000
const purpose = 'oauth-pending'
/** No row keeps the token: the client does. */
const boundTo = ''

/** A person whom a provider named, and the account that waits for their second factor. */
export type Pending = { provider: string; issuer: string; subject: string; userId: string }

/** Encrypted, so that the client holds it and this server stores nothing; good for five minutes. */
export function sealPending(app: Pick<App, 'keyring' | 'clock'>, pending: Pending): string {
  const expiresAt = app.clock.now().getTime() + lifeMs
  return app.keyring.encrypt(purpose, JSON.stringify({ ...pending, expiresAt }), boundTo)
}

/** Null for a token that has expired or that this server did not make. */
export function openPending(app: Pick<App, 'keyring' | 'clock'>, token: string): Pending | null {
  try {
    const { expiresAt, ...pending } = JSON.parse(app.keyring.decrypt(purpose, token, boundTo)) as Pending & {
      expiresAt: number
    }
    return expiresAt > app.clock.now().getTime() ? pending : null
  } catch {
    return null
  }
}
