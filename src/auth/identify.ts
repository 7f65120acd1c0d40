import { identifyApiKey } from '../api-keys/identify.ts'
import type { App, Caller } from '../context.ts'
import { unauthenticated } from '../platform/errors.ts'
import { readAccessToken } from './sessions/access-token.ts'
import { noteSessionUse } from './sessions/note-use.ts'
import { findSessionMember } from './sessions/queries.ts'

/**
 * Finds the caller named by the Authorization header: an API key or a signed-in user. Null without the header. Throws
 * `unauthenticated` if the key or token is unknown, expired or revoked; both are looked up on each request.
 */
export async function identify(app: App, authorization: string | undefined): Promise<Caller | null> {
  if (authorization === undefined) return null
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!token) throw unauthenticated('Send an API key or an access token as: Authorization: Bearer <key>.')
  if (token.startsWith('ph_')) return await identifyKey(app, token)
  return await identifyUser(app, token)
}

async function identifyKey(app: App, key: string): Promise<Caller> {
  const caller = await identifyApiKey(app, key)
  if (!caller) throw unauthenticated('This API key does not exist, has expired, or was revoked.')
  return caller
}

async function identifyUser(app: App, token: string): Promise<Caller> {
  const claims = await readAccessToken(app, token)
  const member = claims && (await findSessionMember(app.db, claims))
  if (!member) {
    throw unauthenticated('This access token is invalid or has expired. Refresh it at /auth/refresh or log in again.')
  }
  const { userId: id, teamId, familyId: sessionId } = claims
  const { lastSeenAt, ...rights } = member
  noteSessionUse(app, sessionId, lastSeenAt)
  return { kind: 'user', id, teamId, sessionId, permission: 'full_access', mode: 'live', domainId: null, ...rights }
}
