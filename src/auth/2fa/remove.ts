import type { Tx } from '../../context.ts'
import { clearAllSecrets } from '../../teams/two-factor.ts'
import { deleteRecoveryCodes } from './queries.ts'

/**
 * Switches two-factor off for an account and removes its recovery codes and a setup that waits. False if two-factor was
 * off.
 */
export async function removeTwoFactor(tx: Tx, userId: string): Promise<boolean> {
  await deleteRecoveryCodes(tx, userId)
  return await clearAllSecrets(tx, userId)
}
