import type { Db, Tx } from '../../context.ts'
import { findTwoFactorSecrets } from '../../teams/two-factor.ts'

export async function findTwoFactorStatus(db: Db, userId: string): Promise<{ enabled: boolean }> {
  const secrets = await findTwoFactorSecrets(db, userId)
  return { enabled: Boolean(secrets?.secret) }
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
  await tx.db.insertInto('recovery_codes').values(rows).execute()
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Marks a recovery code as used. False if the code is unknown or already used. */
export async function updateRecoveryCodeUsed(tx: Tx, userId: string, codeHash: Buffer): Promise<boolean> {
  const result = await tx.db
    .updateTable('recovery_codes')
    .set({ used_at: tx.now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
