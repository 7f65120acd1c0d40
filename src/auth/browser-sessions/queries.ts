import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { type LoginClient, membersOfLogins, tokenColumns } from '../sessions/queries.ts'
import type { TokenChange } from '../sessions/used-tokens.ts'

export type CookieMember = Awaited<ReturnType<typeof listMembersOfCookies>>[number]['member']

/**
 * Finds the users of cookies whose login is valid and who are still members of its team, in the order of the hashes.
 */
export async function findMembersOfCookies(db: Db, hashes: Buffer[], now: Date): Promise<(CookieMember | null)[]> {
  const members = new Map(
    (await listMembersOfCookies(db, hashes, now)).map(({ hash, member }) => [hash.toString('hex'), member]),
  )
  return hashes.map((hash) => members.get(hash.toString('hex')) ?? null)
}

async function listMembersOfCookies(db: Db, hashes: Buffer[], now: Date) {
  const rows = await membersOfLogins(db)
    .select(['login.user_id as id', 'login.team_id as teamId', 'login.family_id as sessionId'])
    .select(sql<Buffer>`login.cookie_hash`.as('hash'))
    .where('login.cookie_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where('login.expires_at', '>', now)
    .execute()
  return rows.map(({ hash, ...member }) => ({ hash, member }))
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

type NewCookie = TokenChange & LoginClient & { cookieHash: Buffer }

/**
 * Turns a login into a browser session. `tokenHash` takes the place of its refresh token, which is then a used one.
 * False if the login has ended.
 */
export async function updateLoginCookie(
  tx: Tx,
  { loginId, cookieHash, address, userAgent, ...change }: NewCookie,
): Promise<boolean> {
  const result = await tx.db
    .updateTable('refresh_tokens')
    .set({ cookie_hash: cookieHash, ...tokenColumns(change) })
    .set({ last_seen_at: tx.now, address, user_agent: userAgent })
    .where('family_id', '=', loginId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
