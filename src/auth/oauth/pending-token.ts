import type { App } from '../../context.ts'

/** Five minutes: enough to open the authenticator app and type its code. */
const lifeMs = 5 * 60_000
const purpose = 'oauth-pending'
/** The token is bound to no row, because only the client keeps it. */
const boundTo = ''

/** A sign-in through a provider that waits for the second factor of an account. */
export type Pending = {
  provider: string
  issuer: string
  subject: string
  userId: string
  /** The account has this provider already: the code signs in and adds nothing. */
  isLinked?: boolean
}

/** Encrypts a pending sign-in as a token for the client. It expires after five minutes. */
export function sealPending(app: Pick<App, 'keyring' | 'clock'>, pending: Pending): string {
  const expiresAt = app.clock.now().getTime() + lifeMs
  return app.keyring.encrypt(purpose, JSON.stringify({ ...pending, expiresAt }), boundTo)
}

/** Decrypts a pending token. Null if it has expired or was not made by this server. */
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
