import { sql } from 'kysely'
import type { App, Db } from '../../../../context.ts'
import { findSendingDomain } from '../../../../domains/queries.ts'
import { addresseeKey, findSuppressed } from '../../../../suppressions/queries.ts'
import type { Delivery } from '../../../jobs.ts'
import { findUnwanted, type Unwanted } from '../../../of-broadcasts/cancel-unwanted.ts'
import type { Addressed } from '../../email.ts'
import { givenHeaders, messageDate } from '../../outbound/date.ts'
import { mayHave } from './split.ts'

type EmailToDeliver = {
  /** `recipients` are the recipients of the delivery that are not suppressed. */
  email: Addressed
  /** Recipients that have been suppressed since, or who may not get it any more. */
  suppressed: string[]
  /** The size of its bodies and attachments as they are stored. */
  contentBytes: number
  /** Set for an email of a broadcast whose recipient unsubscribed or was suppressed since it was split off. */
  unwanted: Unwanted | null
}

/** Finds an email to deliver to a domain, without its content. Null if its team was deleted. */
export async function findEmailToDeliver(
  app: Pick<App, 'db' | 'keyring'>,
  teamId: string,
  delivery: Delivery,
): Promise<EmailToDeliver | null> {
  const { emailId, recipients } = delivery
  const found = await findRow(app.db, teamId, emailId)
  if (!found) return null
  const { contentBytes, isOfBroadcast, ...row } = found
  const domain = await findSendingDomain(app, { teamId, name: row.domainName }, { lock: false })
  // A domain that is sending cannot be deleted, so a missing one is a bug, which must not lose the mail.
  if (!domain) throw new Error(`The domain of email ${emailId} is missing.`)
  const addresseeOf = (address: string) => ({ teamId, address, system: row.system })
  const blocked = await findSuppressed(app, recipients.map(addresseeOf))
  const isBlocked = (address: string) => blocked.has(addresseeKey(addresseeOf(address)))
  const email = { ...row, domain, recipients: recipients.filter((address) => !isBlocked(address)) }
  const [unwanted = null] = isOfBroadcast ? await findUnwanted(app, [{ teamId, id: emailId, to: recipients }]) : []
  // The recipient may have the email and have unsubscribed by it. It is neither sent again nor cancelled.
  if (unwanted && recipients.some((recipient) => mayHave(delivery, recipient)))
    return { email: { ...email, recipients: [] }, suppressed: recipients, contentBytes, unwanted: null }
  return { email, suppressed: recipients.filter(isBlocked), contentBytes, unwanted }
}

type Row = Omit<Addressed, 'domain' | 'recipients'> & {
  domainName: string
  contentBytes: number
  isOfBroadcast: boolean
}

async function findRow(db: Db, teamId: string, emailId: string) {
  const { rows } = await sql<Row>`
    select team_id as "teamId", id, message_id as "messageId", from_address as "from", to_addresses as "to",
      cc_addresses as "cc", bcc_addresses as "bcc", reply_to as "replyTo", subject, ${givenHeaders} as headers, system, untracked,
      ${messageDate} as date,
      domain_name as "domainName",
      exists (
        select from email_contents as body
        where body.team_id = email.team_id and body.email_id = email.id and letter_id is not null
      ) as "isOfBroadcast",
      (coalesce((select coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0) + coalesce(octet_length(source), 0)
          from email_contents as body
          where body.team_id = email.team_id and body.email_id = email.id), 0)
        + coalesce((select sum(octet_length(content)) from email_attachments as file
          where file.team_id = email.team_id and file.email_id = email.id), 0)
        + coalesce((select octet_length(raw) from email_sources as source
          where source.team_id = email.team_id and source.email_id = email.id), 0))::int as "contentBytes"
    from emails as email where team_id = ${teamId} and id = ${emailId}
  `.execute(db)
  return rows[0]
}
