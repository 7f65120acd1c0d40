import type { Config, Tx } from '../context.ts'
import { findSendingDomain } from '../domains/queries.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import { conflict, unprocessable } from '../platform/errors.ts'
import { domainOf } from '../platform/text/mail-address.ts'
import { findSuppressed } from '../suppressions/queries.ts'
import { findAddressee } from './queries.ts'

/** Throws `conflict` if system mail has no verified domain: the answer to a request says that a mail was sent. */
export async function refuseWithoutDomain(tx: Tx, { systemFrom, systemTeam }: Config): Promise<void> {
  const name = domainOf(parseMailbox(systemFrom!)!.address)
  const domain = await findSendingDomain(tx, { teamId: systemTeam!, name }, { lock: false })
  if (domain?.status === 'verified') return
  const advice = 'Ask its operator to verify it, or for a link (posthorn user reset-link).'
  throw conflict(`This server cannot send mail to its users: the domain of SYSTEM_FROM is not verified. ${advice}`)
}

/**
 * Refuses a mail to an account that would not be sent, because the answer to its request says that it was. Throws
 * `conflict` if system mail has no verified domain, and `unprocessable` if the address is suppressed.
 */
export async function refuseUnsendable(tx: Tx, config: Config, userId: string): Promise<void> {
  await refuseWithoutDomain(tx, config)
  const addressee = await findAddressee(tx.db, userId)
  if (!addressee) return
  const { email } = addressee
  const suppressed = await findSuppressed(tx, [{ teamId: config.systemTeam!, address: email, system: true }])
  if (suppressed.size === 0) return
  const advice = 'Ask its operator to take it off the suppression list, or for a link (posthorn user reset-link).'
  throw unprocessable('recipient_suppressed', `This server sends no mail to ${email}. ${advice}`, {
    suppressed: [email],
  })
}
