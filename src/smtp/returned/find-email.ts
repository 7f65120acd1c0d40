import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { parseMailbox } from '../../emails/mailbox.ts'
import type { NotifiedMessage } from '../../emails/notification.ts'

/** What a verified return address says. */
export type ReturnAddress = { address: string; emailId: string; returnPath: string }

/** The email that something has come back of; `envelope.to` are all that it was for. `isPending`: sending it is not recorded yet. */
export type ReturnedEmail = NotifiedMessage & { teamId: string; emailId: string; isPending: boolean }

type Row = {
  teamId: string
  messageId: string
  to: string[]
  cc: string[] | null
  bcc: string[] | null
  at: Date
  isPending: boolean
}

/**
 * The email that was handed over with this return address. The return path stands under its domain, and whose the domain
 * is says which team's email it is; another return path, or a lost verification, since the email was sent changes nothing.
 * Null for an email that is there no longer.
 */
export async function findReturnedEmail(
  db: Db,
  { address, emailId, returnPath }: ReturnAddress,
): Promise<ReturnedEmail | null> {
  const { rows } = await sql<Row>`
    select email.team_id as "teamId", message_id as "messageId", to_addresses as "to", cc_addresses as "cc",
      bcc_addresses as "bcc", coalesce(sent_at, email.created_at) as at,
      sent_at is null and email.status in ('scheduled', 'delayed') as "isPending"
    from domains as domain
    join emails as email on email.team_id = domain.team_id and email.id = ${emailId}
    where domain.name = any(${namesAbove(returnPath)})
    limit 1
  `.execute(db)
  const row = rows[0]
  if (!row) return null
  const { teamId, messageId, at, isPending } = row
  const to = [...row.to, ...(row.cc ?? []), ...(row.bcc ?? [])].map((text) => parseMailbox(text)!.address)
  return { teamId, emailId, messageId, envelope: { from: address, to }, at, isPending }
}

/** `send.shop.example.com`: `shop.example.com`, `example.com`. A name of 253 characters has 127 labels at most. */
function namesAbove(returnPath: string): string[] {
  const labels = returnPath.split('.')
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
}
