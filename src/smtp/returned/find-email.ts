import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { addressesOf } from '../../emails/mailbox.ts'
import type { NotifiedMessage } from '../../emails/notification.ts'
import type { ReturnedRecipient } from '../../emails/return-address.ts'
import { erased } from '../../platform/privacy/person.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'

/**
 * The copy of an email that a report is about, from its return address. If the report has only a Message-ID, `named`
 * has the recipients that it may be about.
 */
export type ReportedCopy = ReturnedRecipient & { messageId?: string; named?: string[] }

/** The copy of an email for one recipient that a report is about. `isPending`: the hand-over is not recorded yet. */
export type ReturnedEmail = Omit<NotifiedMessage, 'envelope'> & {
  teamId: string
  emailId: string
  recipient: string
  isPending: boolean
}

type Row = {
  teamId: string
  messageId: string
  from: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
  at: Date
  isPending: boolean
}

/**
 * Finds the email that was handed over with this return address, and the address's recipient. The return path is a
 * subdomain of the sending domain, which identifies the team; a later change of return path or verification does not
 * matter. Null if the email or its domain was deleted, or if the recipient was erased or is unclear.
 */
export async function findReturnedEmail(
  db: Db,
  { emailId, recipient, returnPath, messageId: givenId, named = [] }: ReportedCopy,
): Promise<ReturnedEmail | null> {
  const { rows } = await sql<Row>`
    select email.team_id as "teamId", message_id as "messageId", from_address as "from", to_addresses as "to", cc_addresses as "cc",
      bcc_addresses as "bcc", coalesce(sent_at, email.created_at) as at,
      sent_at is null and email.status in ('scheduled', 'delayed') as "isPending"
    from domains as domain
    join emails as email on email.team_id = domain.team_id and email.id = ${emailId}
    where domain.name = any(${namesAbove(returnPath)})
    limit 1
  `.execute(db)
  const row = rows[0]
  if (!row || (givenId !== undefined && givenId !== row.messageId)) return null
  const { teamId, messageId, from, at, isPending } = row
  const address = recipientAt(addressesOf(row), recipient, named)
  if (address === null || address === erased) return null
  return { teamId, emailId, recipient: address, messageId, summary: { from }, at, isPending }
}

/** Returns the recipient at a position. Without a position, the named recipient, or the only one; else null. */
function recipientAt(all: string[], position: number | null, named: string[]): string | null {
  if (position !== null) return all[position] ?? null
  const wanted = new Set(named.map(normalizeAddress))
  const found = all.find((address) => wanted.has(normalizeAddress(address)))
  if (found !== undefined) return found
  return new Set(all.map(normalizeAddress)).size === 1 ? all[0]! : null
}

/**
 * Returns the parent domains: `shop.example.com` and `example.com` of `send.shop.example.com`. A name has at most 127
 * labels.
 */
function namesAbove(returnPath: string): string[] {
  const labels = returnPath.split('.')
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
}
