import { sql } from 'kysely'
import type { Tx } from '../context.ts'

export type Account = {
  email: string
  name: string | null
  passwordHash: string | null
  emailVerifiedAt: Date | null
}

/** Finds an account and locks its row until the commit, so that its sign-ins and changes happen one after the other. */
export async function lockAccount(tx: Tx, userId: string): Promise<Account | null> {
  // `for no key update` allows inserts of rows that refer to the user.
  const row = await accountOf(tx, userId).forNoKeyUpdate().executeTakeFirst()
  return row ?? null
}

/** Locks an account that is to be deleted: rows that refer to it, such as memberships, wait too. */
export async function lockAccountAlone(tx: Tx, userId: string): Promise<Account | null> {
  const row = await accountOf(tx, userId).forUpdate().executeTakeFirst()
  return row ?? null
}

function accountOf(tx: Tx, userId: string) {
  return tx.db
    .selectFrom('users')
    .select(['email', 'name', 'password_hash as passwordHash', 'email_verified_at as emailVerifiedAt'])
    .where('id', '=', userId)
}

/** Marks the address as verified. False if it was verified before. */
export async function updateEmailVerified(tx: Tx, userId: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ email_verified_at: tx.now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Replaces the password, unless it was changed since `before` was read. False if it was. */
export async function updatePasswordFrom(
  tx: Tx,
  userId: string,
  { before, passwordHash }: { before: string; passwordHash: string },
): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Sets the password by a link, which verifies the address. */
export async function updatePasswordByLink(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ password_hash: passwordHash, email_verified_at: sql`coalesce(email_verified_at, ${tx.now})` })
    .where('id', '=', userId)
    .execute()
}

/** Gives an account another address, which is proven. Fails on `users_email_lower_key` if another account has it. */
export async function updateAddress(tx: Tx, userId: string, email: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ email, email_lower: email.toLowerCase(), email_verified_at: tx.now })
    .where('id', '=', userId)
    .execute()
}

/** Deletes an account, with its logins, tokens, identities, codes and known networks. */
export async function deleteAccountRow(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('users').where('id', '=', userId).execute()
}

export async function updateUserName(tx: Tx, userId: string, name: string): Promise<void> {
  await tx.db.updateTable('users').set({ name }).where('id', '=', userId).execute()
}
