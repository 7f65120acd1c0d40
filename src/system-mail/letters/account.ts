import { issueResetToken, issueVerificationToken } from '../../auth/account-tokens/issue.ts'
import { tokenLink } from '../../auth/account-tokens/link.ts'
import type { App, Tx } from '../../context.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'
import { countSystemMail } from '../count.ts'
import type { Order } from '../jobs.ts'
import { quoted, timeOf } from '../letter.ts'
import { findAddressee } from '../queries.ts'
import { hostOf, type Post } from './post.ts'
import { securityLetter } from './security.ts'

type AccountOrder = Extract<Order, { about: 'verification' | 'reset' | 'sign-in' | 'security' }>

/** A person needs one. A stranger who asks for another address must not fill its mailbox. */
const anHourMax = { verification: 3, reset: 3, 'sign-in': 5, security: 10 }

/**
 * Writes a mail about an account, with a new token. Writes none past the bound of its address, or if it is out of date.
 */
export async function writeAccountMail(tx: Tx, app: App, order: AccountOrder): Promise<Post[]> {
  const { about, userId } = order
  const addressee = await findAddressee(tx.db, userId)
  if (!addressee) return []
  const { email: to, isVerified } = addressee
  // A warning goes to an address only once its owner has said that it is theirs.
  if (isVerified ? about === 'verification' : about === 'sign-in' || about === 'security') return []
  if (!(await mayWrite(tx, app, order, to))) return []
  if (about === 'sign-in') return [{ to, letter: signInLetter(app, to, order) }]
  if (about === 'security') return [{ to, letter: securityLetter(app, to, order) }]
  const letter = about === 'reset' ? resetLetter : verificationLetter
  const issue = about === 'reset' ? () => issueResetToken(tx, userId, 'mail') : () => issueVerificationToken(tx, userId)
  return [{ to, letter: letter(app, to, await issue()) }]
}

async function mayWrite(tx: Tx, app: App, order: AccountOrder, to: string): Promise<boolean> {
  // Counted when it was asked for: the answer said that it was sent.
  if (order.about === 'verification' && order.isResend) return true
  const { about } = order
  return countSystemMail(tx, app, { kind: about, subject: normalizeAddress(to), max: anHourMax[about], per: 'hour' })
}

function verificationLetter(app: App, email: string, token: string): Post['letter'] {
  return {
    subject: 'Confirm your email address',
    paragraphs: [
      `An account at ${hostOf(app)} has the address ${email}. Confirm that it is yours.`,
      { label: 'Confirm the address', url: tokenLink(app, 'verify', token) },
      'The link works once, within 24 hours. If you have no account there, ignore this mail.',
    ],
  }
}

function resetLetter(app: App, email: string, token: string): Post['letter'] {
  return {
    subject: 'Set a new password',
    paragraphs: [
      `Somebody asked for a new password for the account ${email} at ${hostOf(app)}.`,
      { label: 'Set a new password', url: tokenLink(app, 'reset', token) },
      'The link works once, within an hour. If you did not ask for it, ignore this mail. Your password stays as it is.',
    ],
  }
}

function signInLetter(
  app: App,
  email: string,
  { address, userAgent, at }: Extract<Order, { about: 'sign-in' }>,
): Post['letter'] {
  const program = userAgent === null ? '' : ` Program: ${quoted(userAgent, 200)}.`
  return {
    subject: 'New sign-in to your account',
    paragraphs: [
      `The account ${email} at ${hostOf(app)} was signed in to from a network that it had not used before.`,
      `Time: ${timeOf(new Date(at))}. Network address: ${quoted(address)}.${program}`,
      'If this was you, there is nothing to do. If it was not, set a new password, which ends every session.',
    ],
  }
}
