import type { Db } from '../../context.ts'

/** In place of those there were. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: Buffer[]): Promise<void> {
  await deleteRecoveryCodes(db, userId)
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Spends a code; false where there is none such, or it was used before. */
export async function updateRecoveryCodeUsed(db: Db, userId: string, codeHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
