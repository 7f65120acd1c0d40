import type { App, Caller, Tx } from '../../context.ts'
import { currentActor } from '../../platform/audit/actor.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { notFound } from '../../platform/errors.ts'
import { loginsOfUser, updateLoginRevoked } from './queries.ts'

/**
 * Ends a login of the caller: its tokens and its cookie are refused from the next request on, in every process. Throws
 * `notFound` for another person's login and one that has ended.
 */
export async function endSession(app: App, { id: userId }: Caller, id: string): Promise<{ id: string; deleted: true }> {
  return await app.transaction(async (tx) => {
    const login = await loginsOfUser(tx.db, userId, tx.now).where('family_id', '=', id).executeTakeFirst()
    if (!login || !(await endLogin(tx, id))) throw notFound('session')
    return { id, deleted: true }
  })
}

export async function endOwnSession(app: App, { sessionId = '' }: Caller): Promise<{ revoked: true }> {
  await app.transaction((tx) => endLogin(tx, sessionId))
  return { revoked: true }
}

/**
 * Ends a login and records it. False if it is unknown or has ended. With `isByUser` the login's user is the actor: a
 * refresh token says who that is, on a route without a caller.
 */
export async function endLogin(tx: Tx, loginId: string, { isByUser = false } = {}): Promise<boolean> {
  const ended = await updateLoginRevoked(tx, loginId)
  if (!ended) return false
  const { teamId, userId } = ended
  const present = currentActor()
  const actor = isByUser ? { ...present, type: 'user' as const, id: userId, name: null } : present
  await recordChange(tx, { teamId, action: 'session.ended', target: { type: 'session', id: loginId }, actor })
  return true
}
