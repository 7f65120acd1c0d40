import type { Db, Tx } from '../../context.ts'

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

export type NewIdentity = { provider: string; subject: string; userId: string }

/** False where it is known already. */
export async function insertIdentity(tx: Tx, { provider, subject, userId }: NewIdentity): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('user_identities')
    .values({ provider, subject, user_id: userId, created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}
