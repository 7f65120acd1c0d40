import type { Tx } from '../../context.ts'
import { insertAccountToken, type NewToken, replaceAccountToken } from './queries.ts'
import { generateToken, hashToken } from './token.ts'

const hourMs = 3_600_000
/** A mailed link is good for an hour. An operator passes a link on by hand, so that one has a day. */
const resetMs = { mail: hourMs, operator: 24 * hourMs }
/** The first start prints the link on the terminal, where it is opened at once. */
const startMs = 10 * 60_000
const verificationMs = 24 * hourMs

/** Issues a token that sets the password once, and ends older ones of the account. Returns the text of the token. */
export async function issueResetToken(tx: Tx, userId: string, issuedBy: NewToken['issuedBy']): Promise<string> {
  const { token, ...issued } = newToken(tx, resetMs[issuedBy])
  await replaceAccountToken(tx, { ...issued, userId, purpose: 'password_reset', issuedBy })
  return token
}

/**
 * Issues a token that verifies the address of an account, within 24 hours. Older ones stay good until the address is
 * verified, because mails may arrive in another order. Returns the text of the token.
 */
export async function issueVerificationToken(tx: Tx, userId: string): Promise<string> {
  const { token, ...issued } = newToken(tx, verificationMs)
  await insertAccountToken(tx, { ...issued, userId, purpose: 'email_verification', issuedBy: 'mail' })
  return token
}

/**
 * Issues a token that gives an account another address, within 24 hours, and ends older ones of the account. Returns
 * the text of the token.
 */
export async function issueAddressToken(tx: Tx, userId: string, email: string): Promise<string> {
  const { token, ...issued } = newToken(tx, verificationMs)
  await replaceAccountToken(tx, { ...issued, userId, purpose: 'email_change', issuedBy: 'mail', email })
  return token
}

/**
 * Issues a token that opens a browser session once, within ten minutes, and ends older ones. Returns the text of the
 * token.
 */
export async function issueStartToken(tx: Tx, userId: string): Promise<string> {
  const { token, ...issued } = newToken(tx, startMs)
  await replaceAccountToken(tx, { ...issued, userId, purpose: 'browser_start', issuedBy: 'operator' })
  return token
}

function newToken(tx: Tx, lifeMs: number) {
  const token = generateToken()
  return { token, tokenHash: hashToken(token), expiresAt: new Date(tx.now.getTime() + lifeMs) }
}
