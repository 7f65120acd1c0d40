import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'

/** How a person is named: by the issuer and its own subject, never by an email address, which may change hands. */
export type Subject = { issuer: string; subject: string }

export async function findUserIdOfIdentity(db: Db, { issuer, subject }: Subject): Promise<string | null> {
  const row = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

export type NewIdentity = Subject & { provider: string; userId: string }

/** False where it is known already. */
export async function insertIdentity(tx: Tx, { provider, issuer, subject, userId }: NewIdentity): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('user_identities')
    .values({ provider, issuer, subject, user_id: userId, created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/**
 * Gives the rows of a provider that know no issuer the one that its name means now. All at once: should the name mean
 * another issuer later, no subject of that one is taken for a person of this one.
 */
export async function bindIdentities(tx: Tx, provider: string, issuer: string): Promise<void> {
  await sql`
    update user_identities as unbound set issuer = ${issuer}
    where provider = ${provider} and issuer is null and not exists (
      select from user_identities as bound where bound.issuer = ${issuer} and bound.subject = unbound.subject
    )
  `.execute(tx.db)
}
