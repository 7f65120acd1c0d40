import type { Tx } from '../../context.ts'
import type { Keyring } from '../../platform/keyring.ts'
import { updateLastStep } from '../../teams/two-factor.ts'
import { updateRecoveryCodeUsed } from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findStep, isTotpCode } from './totp.ts'

/** The purpose authenticator secrets are sealed for. */
export const sealPurpose = 'totp'

/** Takes a code of the authenticator, or a recovery code; each works once, however many requests race with it. */
export async function spendCode(
  tx: Tx,
  keyring: Keyring,
  { userId, secret }: { userId: string; secret: string },
  code: string,
): Promise<boolean> {
  if (!isTotpCode(code)) return updateRecoveryCodeUsed(tx, userId, hashRecoveryCode(keyring, userId, code))
  const step = findStep(keyring.decrypt(sealPurpose, secret), code, tx.now)
  return step !== null && (await updateLastStep(tx, userId, secret, step))
}
