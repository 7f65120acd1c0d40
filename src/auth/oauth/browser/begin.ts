import type { App } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { readSessionCookie } from '../../browser-sessions/cookie.ts'
import { findProvider } from '../sign-in.ts'
import { begunCookie, newBegun } from './begun.ts'
import { pageOfRefusal } from './outcome.ts'

/** Where the browser goes, and what it keeps meanwhile. */
export type Step = { location: string; cookies: string[] }

type Beginning = { provider: string; next: string | undefined; cookies: string | undefined }

/**
 * Begins a sign-in in a browser. Throws `notFound` for an unknown provider; one out of reach leads back to the sign-in
 * page.
 */
export async function beginSignIn(app: App, { provider, next: wanted, cookies }: Beginning): Promise<Step> {
  const configured = findProvider(app, provider)
  if (!configured) throw notFound('sign-in provider')
  const next = safeNext(wanted)
  const begun = newBegun({ provider, next, previous: readSessionCookie(app, cookies) })
  // Loaded at its first use, because most installations have no provider.
  const { authorizationUrl } = await import('./authorization-url.ts')
  try {
    return { location: await authorizationUrl(app, configured, begun), cookies: [begunCookie(app, begun)] }
  } catch (error) {
    return { location: pageOfRefusal(error, next), cookies: [] }
  }
}

/** Where a browser is led after a sign-in that names no page. */
const firstPage = '/app'

/**
 * Characters of the path as it is sent. Browsers drop a cookie of more than 4 kB, and the cookie of a sign-in holds it.
 */
const nextMax = 1000

/** Returns a path of the dashboard from the parameter `next`. Anything that could lead elsewhere is its first page. */
function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/app(?=[/?#]|$)[^\s\\]*$/.test(next)) return firstPage
  // The parser resolves `..`, also when it is percent-encoded.
  const url = URL.parse(next, 'http://posthorn.invalid')
  if (url?.host !== 'posthorn.invalid' || !/^\/app(\/|$)/.test(url.pathname)) return firstPage
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.length > nextMax ? firstPage : path
}
