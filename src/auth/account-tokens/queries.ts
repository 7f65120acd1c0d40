import type { Db, Tx } from '../../context.ts'
import type { Database } from '../../database.ts'

type Purpose = Database['account_tokens']['purpose']

export type NewToken = {
  tokenHash: Buffer
  userId: string
  purpose: Purpose
  issuedBy: Database['account_tokens']['issued_by']
  email?: string
  expiresAt: Date
}

/** Inserts a token and deletes older tokens of the same user and purpose. */
export async function replaceAccountToken(tx: Tx, token: NewToken): Promise<void> {
  await deleteTokensOfUser(tx, token.userId, token.purpose)
  await insertAccountToken(tx, token)
}

export async function insertAccountToken(tx: Tx, token: NewToken): Promise<void> {
  const { tokenHash, userId, purpose, issuedBy, email = null, expiresAt } = token
  const row = { token_hash: tokenHash, user_id: userId, purpose, issued_by: issuedBy, created_at: tx.now }
  await tx.db
    .insertInto('account_tokens')
    .values({ ...row, email, expires_at: expiresAt })
    .execute()
}

/**
 * Finds the id of the user a token was issued to. Null if the token is unknown, used, expired or of another purpose.
 */
export async function findUserOfToken(db: Db, purpose: Purpose, tokenHash: Buffer, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('account_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id ?? null
}

export type SpentToken = { userId: string; issuedBy: NewToken['issuedBy']; email: string | null }

/** Uses up a token and returns whose it was. Null if it is unknown or expired, or another request used it first. */
export async function spendToken(tx: Tx, purpose: Purpose, tokenHash: Buffer): Promise<SpentToken | null> {
  const row = await tx.db
    .deleteFrom('account_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', tx.now)
    .returning(['user_id as userId', 'issued_by as issuedBy', 'email'])
    .executeTakeFirst()
  return row ?? null
}

export async function deleteTokensOfUser(tx: Tx, userId: string, purpose: Purpose): Promise<void> {
  await tx.db.deleteFrom('account_tokens').where('user_id', '=', userId).where('purpose', '=', purpose).execute()
}

/**
 * Deletes the tokens of the links that lead into an account, or move it to another address. A new password ends them:
 * another person may have them.
 */
export async function deleteTokensOfAccess(tx: Tx, userId: string): Promise<void> {
  for (const purpose of ['password_reset', 'email_change', 'browser_start'] as const) {
    await deleteTokensOfUser(tx, userId, purpose)
  }
}

/** Deletes the tokens of all links that were mailed for an account, or made by an operator. */
export async function deleteMailedTokens(tx: Tx, userId: string): Promise<void> {
  for (const purpose of ['password_reset', 'email_verification', 'email_change'] as const) {
    await deleteTokensOfUser(tx, userId, purpose)
  }
}
