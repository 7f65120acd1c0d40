import { isInState } from '../../auth/account/state.ts'
import { issueAddressToken } from '../../auth/account-tokens/issue.ts'
import { tokenLink } from '../../auth/account-tokens/link.ts'
import { deleteTokensOfUser } from '../../auth/account-tokens/queries.ts'
import type { App, Tx } from '../../context.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'
import { lockAccount } from '../../teams/account.ts'
import { findUserByEmail } from '../../teams/queries.ts'
import { countSystemMail } from '../count.ts'
import type { Order } from '../jobs.ts'
import { quoted, timeOf } from '../letter.ts'
import { hostOf, type Post } from './post.ts'

/** A stranger who asks for another person's address must not fill its mailbox. */
const anHourMax = 3

/**
 * Writes to the new address of an account, with the link that gives it to the account, and to the present one. A new
 * address that has an account gets a note in place of the link, so that only its owner learns of the account. Writes
 * nothing once the account has another password or address: these end the links that were asked for before.
 */
export async function writeNewAddressMail(
  tx: Tx,
  app: App,
  order: Extract<Order, { about: 'new-address' }>,
): Promise<Post[]> {
  // An order of an earlier version has no state.
  const { userId, email, state = '' } = order
  const account = await lockAccount(tx, userId)
  if (!account || !isInState(tx, account, state)) return []
  // Also where no link follows: a link that still works would tell that the newer address has an account.
  await deleteTokensOfUser(tx, userId, 'email_change')
  const present = { to: account.email, letter: askedLetter(app, account.email, order) }
  const bound = { kind: 'new-address', subject: normalizeAddress(email), max: anHourMax, per: 'hour' as const }
  if (!(await countSystemMail(tx, app, bound))) return [present]
  const isTaken = (await findUserByEmail(tx.db, email)) !== null
  const letter = isTaken
    ? takenLetter(app, email)
    : linkLetter(app, account.email, await issueAddressToken(tx, userId, email))
  return [{ to: email, letter }, present]
}

/** Writes to the former address of an account, which has another one from now on. It does not say which. */
export async function writeFormerAddressMail(
  app: App,
  { formerEmail, address, at }: Extract<Order, { about: 'former-address' }>,
): Promise<Post[]> {
  const letter = {
    subject: 'Your account has another address',
    paragraphs: [
      `The account ${formerEmail} at ${hostOf(app)} has another address from now on. Mail about it goes there, and every session has ended.`,
      whenAndWhere(address, at),
      'If this was you, there is nothing to do. If it was not, write to the operator at once.',
    ],
  }
  return [{ to: formerEmail, letter }]
}

function linkLetter(app: App, present: string, token: string): Post['letter'] {
  return {
    subject: 'Confirm your new address',
    paragraphs: [
      `The account ${present} at ${hostOf(app)} is to have this address in place of its own. Confirm it only if the account is yours.`,
      { label: 'Use this address', url: tokenLink(app, 'address', token) },
      'The link works once, within 24 hours. If the account is not yours, ignore this mail.',
    ],
  }
}

function takenLetter(app: App, email: string): Post['letter'] {
  return {
    subject: 'This address has an account already',
    paragraphs: [
      `Somebody asked to use the address ${email} for another account at ${hostOf(app)}. It has an account there, so nothing was changed.`,
      'If this was you, sign in with this address, or delete the account that has it first. If not, ignore this mail.',
    ],
  }
}

function askedLetter(
  app: App,
  present: string,
  { address, at }: Extract<Order, { about: 'new-address' }>,
): Post['letter'] {
  return {
    subject: 'Another address was asked for',
    paragraphs: [
      `Somebody who is signed in to the account ${present} at ${hostOf(app)} asked to give it another address. It changes once a link that was mailed to that address is opened.`,
      whenAndWhere(address, at),
      'If this was you, there is nothing to do. If it was not, set a new password, which ends the link and every session.',
    ],
  }
}

function whenAndWhere(address: string | null, at: string): string {
  return `Time: ${timeOf(new Date(at))}.${address === null ? '' : ` Network address: ${quoted(address)}.`}`
}
