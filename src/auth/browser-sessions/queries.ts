import type { Db, Tx } from '../../context.ts'
import { type LoginClient, membersOfLogins, tokenColumns } from '../sessions/queries.ts'
import type { TokenChange } from '../sessions/used-tokens.ts'

/** Finds the user of a cookie, if its login is valid and the user is still a member of the team. */
export function findMemberOfCookie(db: Db, cookieHash: Buffer, now: Date) {
  return membersOfLogins(db)
    .select(['login.user_id as id', 'login.team_id as teamId', 'login.family_id as sessionId'])
    .where('login.cookie_hash', '=', cookieHash)
    .where('login.expires_at', '>', now)
    .executeTakeFirst()
}

/** Finds the login of a cookie, whether it has ended or not. */
export async function findLoginOfCookie(db: Db, cookieHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select('family_id')
    .where('cookie_hash', '=', cookieHash)
    .executeTakeFirst()
  return row?.family_id
}

export type NewCookie = TokenChange & LoginClient & { cookieHash: Buffer }

/**
 * Turns a login into a browser session. `tokenHash` takes the place of its refresh token, which is then a used one. False if the
 * login has ended.
 */
export async function updateLoginCookie(
  tx: Tx,
  { familyId, cookieHash, address, userAgent, ...change }: NewCookie,
): Promise<boolean> {
  const result = await tx.db
    .updateTable('refresh_tokens')
    .set({ cookie_hash: cookieHash, ...tokenColumns(change) })
    .set({ last_seen_at: tx.now, address, user_agent: userAgent })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
