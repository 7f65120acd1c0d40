import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { lockAccount } from '../../teams/account.ts'

/** Identifies a person by issuer and subject. An email address may change hands and does not identify. */
type Subject = { issuer: string; subject: string }

export async function findUserIdOfIdentity(db: Db, { issuer, subject }: Subject): Promise<string | null> {
  const row = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/**
 * Finds the user of an identity and locks the account until the commit. Null if there is none, also if a reset of the
 * account removed it meanwhile.
 */
export async function lockUserOfIdentity(tx: Tx, identity: Subject): Promise<string | null> {
  const userId = await findUserIdOfIdentity(tx.db, identity)
  if (!userId) return null
  await lockAccount(tx, userId)
  return await findUserIdOfIdentity(tx.db, identity)
}

type NewIdentity = Subject & { provider: string; userId: string }

/** Inserts an identity. False if it exists. */
export async function insertIdentity(tx: Tx, { provider, issuer, subject, userId }: NewIdentity): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('user_identities')
    .values({ provider, issuer, subject, user_id: userId, created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

export async function deleteIdentitiesOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('user_identities').where('user_id', '=', userId).execute()
}

/**
 * Stores the provider's current issuer in its rows that have none. All rows at once, so that subjects of a later issuer
 * under the same name are not mistaken for these people.
 */
export async function bindIdentities(tx: Tx, provider: string, issuer: string): Promise<void> {
  await sql`
    update user_identities as unbound set issuer = ${issuer}
    where provider = ${provider} and issuer is null and not exists (
      select from user_identities as bound where bound.issuer = ${issuer} and bound.subject = unbound.subject
    )
  `.execute(tx.db)
}
