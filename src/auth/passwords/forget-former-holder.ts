import { deleteKeysOfPerson } from '../../api-keys/delete-of-person.ts'
import type { Tx } from '../../context.ts'
import { removeSecondFactor } from '../2fa/remove.ts'
import type { SpentToken } from '../account-tokens/queries.ts'
import { deleteIdentitiesOfUser } from '../oauth/queries.ts'

/**
 * Removes what another person may have left in an account whose address was never proven: linked providers, and after a
 * mailed link also the second factor and API keys. An operator's link keeps those two. Sessions end with every reset.
 */
export async function forgetFormerHolder(tx: Tx, { userId, issuedBy }: SpentToken): Promise<void> {
  await deleteIdentitiesOfUser(tx, userId)
  if (issuedBy === 'operator') return
  await removeSecondFactor(tx, userId)
  await deleteKeysOfPerson(tx, userId)
}
