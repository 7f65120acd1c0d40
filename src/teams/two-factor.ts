import type { Db, Tx } from '../context.ts'

/** Sealed secrets of a user's authenticator; `secret` is null while two-factor is off. */
export type TwoFactorSecrets = { email: string; secret: string | null; pendingSecret: string | null }

export async function findTwoFactorSecrets(db: Db, userId: string): Promise<TwoFactorSecrets | null> {
  const row = await db
    .selectFrom('users')
    .select(['email', 'totp_secret as secret', 'totp_pending_secret as pendingSecret'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** The sealed secret, which nothing changes until the end of the unit of work. Null while two-factor is off. */
export async function findSecretForUpdate(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx.db
    .selectFrom('users')
    .select('totp_secret')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.totp_secret ?? null
}

/** False where two-factor is on already. */
export async function updatePendingSecret(tx: Tx, userId: string, pendingSecret: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ totp_pending_secret: pendingSecret })
    .where('id', '=', userId)
    .where('totp_secret', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Switches two-factor on with the secret that was pending; the code that proved it is spent. False where it is pending no more. */
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

/** Spends the code of a time step; false where that one or a later one was used before. */
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

/** False where two-factor was off already. */
export async function clearSecrets(tx: Tx, userId: string): Promise<boolean> {
  const result = await tx.db
    .updateTable('users')
    .set({ totp_secret: null, totp_pending_secret: null, totp_last_step: null })
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
