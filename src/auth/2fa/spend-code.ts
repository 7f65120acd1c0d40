import type { Tx } from '../../context.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import type { SealedColumn } from '../../platform/sealed/column.ts'
import { findSecretForUpdate, updateLastStep } from '../../teams/two-factor.ts'
import { updateRecoveryCodeUsed } from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findStep, isTotpCode } from './totp.ts'

/** The purpose for which authenticator secrets are encrypted. */
export const sealPurpose = 'totp'

export const sealedColumns: SealedColumn[] = ['totp_secret', 'totp_pending_secret'].map((column) => ({
  table: 'users',
  column,
  purpose: sealPurpose,
}))

/**
 * Checks and uses up a code of the authenticator or a recovery code. Of several requests with the same code, one
 * succeeds.
 */
export async function spendCode(tx: Tx, keyring: Keyring, userId: string, code: string): Promise<boolean> {
  if (!isTotpCode(code)) return updateRecoveryCodeUsed(tx, userId, hashRecoveryCode(keyring, userId, code))
  // Under the row's lock: `secrets rotate` may be encrypting the secret anew.
  const secret = await findSecretForUpdate(tx, userId)
  if (secret === null) return false
  const step = findStep(keyring.decrypt(sealPurpose, secret, userId), code, tx.now)
  return step !== null && (await updateLastStep(tx, userId, secret, step))
}
