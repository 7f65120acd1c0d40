import type { App } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findProvider } from '../sign-in.ts'
import { begunCookie, newBegun } from './begun.ts'
import { pageOfRefusal } from './outcome.ts'
import { safeNext } from './safe-next.ts'

/** Where the browser goes, and what it keeps meanwhile. */
export type Step = { location: string; cookies: string[] }

/**
 * Begins a sign-in in a browser. Throws `notFound` for an unknown provider; one out of reach leads back to the sign-in
 * page.
 */
export async function beginSignIn(app: App, provider: string, wanted: string | undefined): Promise<Step> {
  const configured = findProvider(app, provider)
  if (!configured) throw notFound('sign-in provider')
  const next = safeNext(wanted)
  const begun = newBegun(provider, next)
  // Loaded at its first use, because most installations have no provider.
  const { authorizationUrl } = await import('./authorization-url.ts')
  try {
    return { location: await authorizationUrl(app, configured, begun), cookies: [begunCookie(app, begun)] }
  } catch (error) {
    return { location: pageOfRefusal(error, next), cookies: [] }
  }
}
