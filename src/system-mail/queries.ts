import type { Db } from '../context.ts'

export type Addressee = { email: string; isVerified: boolean }

/** Finds the address of an account. Null if there is no such account any more. */
export async function findAddressee(db: Db, userId: string): Promise<Addressee | null> {
  const row = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at as verifiedAt'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ? { email: row.email, isVerified: row.verifiedAt !== null } : null
}
