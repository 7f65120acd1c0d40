import type { Tx } from '../../context.ts'
import { replaceAccountToken } from '../account-tokens/queries.ts'
import { generateToken, hashToken } from '../account-tokens/token.ts'

/** 24 hours, because an operator passes the link on by hand. */
const operatorLifeMs = 24 * 3_600_000

/** Issues a token for a link that sets a password once, within 24 hours. Deletes older links of the account. */
export async function issueOperatorReset(tx: Tx, userId: string): Promise<string> {
  const token = generateToken()
  const expiresAt = new Date(tx.now.getTime() + operatorLifeMs)
  const tokenHash = hashToken(token)
  await replaceAccountToken(tx, { tokenHash, userId, purpose: 'password_reset', issuedBy: 'operator', expiresAt })
  return token
}
