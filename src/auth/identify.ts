import type { FastifyRequest } from 'fastify'
import { identifyApiKey } from '../api-keys/identify.ts'
import type { App, Caller } from '../context.ts'
import { unauthenticated } from '../platform/errors.ts'
import { dialectOf } from '../platform/http/dialect.ts'
import { identifyBrowser } from './browser-sessions/identify.ts'
import { readAccessToken } from './sessions/access-token.ts'
import { noteSessionUse } from './sessions/note-use.ts'
import { findLoginMember } from './sessions/queries.ts'

/**
 * Finds the caller named by the Authorization header, an API key or a signed-in user, or else by the cookie of a
 * browser session. Null without either. Throws `unauthenticated` if the key, token or cookie is unknown, expired or
 * revoked: all are looked up on each request. Throws `forbidden` for a cookie that another page sent. With `onlyKnown`
 * a cookie that this process has not seen before is refused without being looked up. Invented access tokens never are,
 * and look-ups of keys share queries.
 */
export async function identify(
  app: App,
  request: FastifyRequest,
  options = { onlyKnown: false },
): Promise<Caller | null> {
  const authorization = authorizationOf(request)
  if (authorization === undefined) return await identifyBrowser(app, request, options)
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!token) throw unauthenticated('Send an API key or an access token as: Authorization: Bearer <key>.')
  if (token.startsWith('ph_')) return await identifyKey(app, token)
  if (!token.startsWith(tokenStart)) {
    throw unauthenticated('This is no API key of Posthorn: they begin with ph_. Make one on the page API keys.')
  }
  return await identifyUser(app, token)
}

/** Access tokens are JSON Web Tokens, which begin with the base64 of `{"`. The keys of other services do not. */
const tokenStart = 'eyJ'

/** Returns the Authorization of a request, or what stands for it where another API has a header of its own. */
function authorizationOf(request: FastifyRequest): string | undefined {
  const keyHeader = dialectOf(request)?.keyHeader
  if (keyHeader === undefined) return request.headers.authorization
  const key = request.headers[keyHeader]
  return typeof key === 'string' ? `Bearer ${key}` : undefined
}

async function identifyKey(app: App, key: string): Promise<Caller> {
  const caller = await identifyApiKey(app, key)
  if (!caller) throw unauthenticated('This API key does not exist, has expired, or was revoked.')
  return caller
}

async function identifyUser(app: App, token: string): Promise<Caller> {
  const claims = await readAccessToken(app, token)
  const member = claims && (await findLoginMember(app.db, claims))
  if (!member) {
    throw unauthenticated('This access token is invalid or has expired. Refresh it at /auth/refresh or log in again.')
  }
  const { userId: id, teamId, loginId: sessionId } = claims
  const { lastSeenAt, ...rights } = member
  noteSessionUse(app, sessionId, lastSeenAt)
  return { kind: 'user', id, teamId, sessionId, permission: 'full_access', mode: 'live', domainId: null, ...rights }
}
