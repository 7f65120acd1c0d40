import type { Tx } from '../../context.ts'
import { replaceAccountToken } from '../account-tokens/queries.ts'
import { generateToken, hashToken } from '../account-tokens/token.ts'

/** An operator hands the link over by a way of their own, which may take a day. */
const operatorLifeMs = 24 * 3_600_000

/** The token of a link with which the person sets a password, once, within 24 hours. Ends older links of the account. */
export async function issueOperatorReset(tx: Tx, userId: string): Promise<string> {
  const token = generateToken()
  const expiresAt = new Date(tx.now.getTime() + operatorLifeMs)
  const tokenHash = hashToken(token)
  await replaceAccountToken(tx, { tokenHash, userId, purpose: 'password_reset', issuedBy: 'operator', expiresAt })
  return token
}
