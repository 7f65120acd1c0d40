import type { App, Caller } from '../../context.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { gatheredFor } from '../../platform/transaction/gather.ts'
import { hashToken } from '../account-tokens/token.ts'
import { noteSessionUse } from '../sessions/note-use.ts'
import { readSessionCookie } from './cookie.ts'
import { findIfKnown } from './known-cookies.ts'
import { type CookieMember, findMembersOfCookies } from './queries.ts'
import { refuseForeignOrigin, type Sent } from './refuse-origin.ts'

const safeMethods = ['GET', 'HEAD']

type CookieRequest = Sent & { method: string; headers: { cookie?: string | undefined } }

/**
 * Finds the user of a browser session. Null without our cookie. Throws `unauthenticated` if the session has ended, and
 * `forbidden` for a request that changes something and comes from another page.
 */
export async function identifyBrowser(
  app: App,
  request: CookieRequest,
  { onlyKnown }: { onlyKnown: boolean },
): Promise<Caller | null> {
  const token = readSessionCookie(app, request.headers.cookie)
  if (token === null) return null
  if (!safeMethods.includes(request.method)) refuseForeignOrigin(app, request)
  const member = token === 'malformed' ? null : await findMember(app, hashToken(token), onlyKnown)
  if (!member) throw unauthenticated('This browser session has ended. Sign in again.')
  const { lastSeenAt, ...caller } = member
  noteSessionUse(app, caller.sessionId, lastSeenAt)
  return { kind: 'user', permission: 'full_access', mode: 'live', domainId: null, isBrowser: true, ...caller }
}

function findMember(app: App, hash: Buffer, onlyKnown: boolean): Promise<CookieMember | null> {
  return findIfKnown(app, hash, onlyKnown, () => findMemberOfCookie(app, hash))
}

/** Concurrent requests share a query, as those with keys do. */
const findMemberOfCookie = gatheredFor(
  (app: App, hashes: Buffer[]) => findMembersOfCookies(app.db, hashes, app.clock.now()),
  { itemsMax: 200, flushesMax: 4 },
)
