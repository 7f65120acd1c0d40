import type { App } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { readSessionCookie, sessionCookie } from '../../browser-sessions/cookie.ts'
import { openBrowserSession } from '../../browser-sessions/open.ts'
import { findProvider, signInWithProvider } from '../sign-in.ts'
import type { Step } from './begin.ts'
import { type Begun, noBegunCookie, readBegun } from './begun.ts'
import { failedPage, pageOfRefusal } from './outcome.ts'
import { redirectUri } from './redirect-uri.ts'

const codeMax = 4096

/** The provider's answer. Its parameters are strings, or lists where a name is given more than once. */
type Callback = {
  provider: string
  query: Record<string, unknown>
  cookies: string | undefined
  clientAddress: string
}

/**
 * Finishes a sign-in with the provider's answer: opens a browser session and leads to the page that was wanted, or to
 * the sign-in page. An answer that this browser has not asked for changes nothing. Throws `notFound` for an unknown
 * provider.
 */
export async function finishSignIn(app: App, callback: Callback): Promise<Step> {
  const { provider, query, cookies } = callback
  if (!findProvider(app, provider)) throw notFound('sign-in provider')
  const begun = readBegun(app, cookies)
  if (begun?.provider !== provider || begun.state !== query.state) {
    return { location: failedPage('expired', '/app'), cookies: [] }
  }
  const { location, session } = await outcomeOf(app, callback, begun)
  return { location, cookies: [noBegunCookie(app), ...(session === undefined ? [] : [sessionCookie(app, session)])] }
}

async function outcomeOf(
  app: App,
  { provider, query, cookies, clientAddress }: Callback,
  { next, nonce, codeVerifier, ...begun }: Begun,
): Promise<{ location: string; session?: string }> {
  const { code, error } = query
  if (error === 'access_denied') return { location: failedPage('cancelled', next) }
  if (typeof code !== 'string' || code === '' || code.length > codeMax) return { location: failedPage('refused', next) }
  const request = { provider, code, nonce, codeVerifier, redirectUri: redirectUri(app, provider) }
  try {
    const { refreshToken } = await signInWithProvider(app, request, clientAddress)
    const previous = readSessionCookie(app, cookies) ?? begun.previous
    const { token } = await openBrowserSession(app, { refreshToken, clientAddress, previous })
    return { location: next, session: token }
  } catch (refusal) {
    return { location: pageOfRefusal(refusal, next) }
  }
}
