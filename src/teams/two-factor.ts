import type { Db, Tx } from '../context.ts'

/** Encrypted secrets of a user's authenticator. `secret` is null while two-factor is off. */
type TwoFactorSecrets = { email: string; secret: string | null; pendingSecret: string | null }

export async function findTwoFactorSecrets(db: Db, userId: string): Promise<TwoFactorSecrets | null> {
  const row = await db
    .selectFrom('users')
    .select(['email', 'totp_secret as secret', 'totp_pending_secret as pendingSecret'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Finds and locks the encrypted secret. Null while two-factor is off. */
export async function findSecretForUpdate(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx.db
    .selectFrom('users')
    .select('totp_secret')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.totp_secret ?? null
}

/** Stores a pending secret. False if two-factor is on. */
export async function updatePendingSecret(tx: Tx, userId: string, pendingSecret: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ totp_pending_secret: pendingSecret })
    .where('id', '=', userId)
    .where('totp_secret', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Switches two-factor on with the pending secret and uses up the code that confirmed it. False if the secret is no
 * longer pending.
 */
export async function confirmPendingSecret(
  tx: Tx,
  userId: string,
  pendingSecret: string,
  step: number,
): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ totp_secret: pendingSecret, totp_pending_secret: null, totp_last_step: String(step) })
    .where('id', '=', userId)
    .where('totp_pending_secret', '=', pendingSecret)
    .where('totp_secret', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Uses up the code of a time step. False if a code of that step or a later one was used. */
export async function updateLastStep(tx: Tx, userId: string, secret: string, step: number): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ totp_last_step: String(step) })
    .where('id', '=', userId)
    .where('totp_secret', '=', secret)
    .where((user) => user.or([user('totp_last_step', 'is', null), user('totp_last_step', '<', String(step))]))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Deletes the secrets. False if two-factor was off. */
export async function clearSecrets(tx: Tx, userId: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ totp_secret: null, totp_pending_secret: null, totp_last_step: null })
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Deletes the secrets of two-factor, also of a setup that was not confirmed. False if two-factor was off. */
export async function clearAllSecrets(tx: Tx, userId: string): Promise<boolean> {
  const wasOn = await clearSecrets(tx, userId)
  await tx.db.updateTable('users').set({ totp_pending_secret: null }).where('id', '=', userId).execute()
  return wasOn
}
