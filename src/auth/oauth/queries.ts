import type { Db } from '../../context.ts'

/** The provider's own subject names a person, never an email address, which may change hands. */
export async function findUserIdOfIdentity(db: Db, provider: string, subject: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

export type NewIdentity = { provider: string; subject: string; userId: string; at: Date }

/** Nothing where it is known already. */
export async function insertIdentity(db: Db, { provider, subject, userId, at }: NewIdentity): Promise<void> {
  await db
    .insertInto('user_identities')
    .values({ provider, subject, user_id: userId, created_at: at })
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
    .execute()
}
