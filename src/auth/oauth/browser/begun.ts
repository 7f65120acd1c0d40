import type { App } from '../../../context.ts'
import { generateToken } from '../../account-tokens/token.ts'
import { cookieOf, readCookies } from '../../browser-sessions/cookie.ts'

/** Ten minutes: enough to sign in at the provider, with a second factor there. */
const lifeSeconds = 600
const purpose = 'oauth-begun'
/** The value is bound to no row, because only the browser keeps it. */
const boundTo = ''

/** A sign-in that a browser has begun. Its secrets are in an encrypted cookie of that browser, and nowhere else. */
export type Begun = {
  provider: string
  state: string
  nonce: string
  codeVerifier: string
  next: string
  /** The session cookie of the browser, which is `Strict`: browsers leave it out when a provider leads back to us. */
  previous: string | null
}

export function newBegun(aim: Pick<Begun, 'provider' | 'next' | 'previous'>): Begun {
  return { ...aim, state: generateToken(), nonce: generateToken(), codeVerifier: generateToken() }
}

/** The header that gives the cookie to the browser. `Lax`, because the provider's redirect comes from another site. */
export function begunCookie(app: App, begun: Begun): string {
  const expiresAt = app.clock.now().getTime() + lifeSeconds * 1000
  return header(app, app.keyring.encrypt(purpose, JSON.stringify({ ...begun, expiresAt }), boundTo), lifeSeconds)
}

/** The header that takes the cookie away. */
export function noBegunCookie(app: App): string {
  return header(app, '', 0)
}

/** Reads the cookie. Null without one, and for one that has expired or that this server did not make. */
export function readBegun(app: App, cookies: string | undefined): Begun | null {
  const [value, ...others] = readCookies(cookies, cookieOf(app, '-oauth').name)
  if (value === undefined || others.length > 0) return null
  try {
    const { expiresAt, ...begun } = JSON.parse(app.keyring.decrypt(purpose, value, boundTo)) as Begun & {
      expiresAt: number
    }
    return expiresAt > app.clock.now().getTime() ? begun : null
  } catch {
    return null
  }
}

function header(app: App, value: string, maxAgeSeconds: number): string {
  const { name, isSecure } = cookieOf(app, '-oauth')
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
  return [`${name}=${value}`, ...attributes].join('; ')
}
