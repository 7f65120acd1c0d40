import { type RawBuilder, sql } from 'kysely'
import type { App, Caller } from '../../context.ts'
import { runHeavyRead } from '../../platform/http/overload/heavy-reads.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { readPage } from '../../platform/pagination.ts'
import { getBroadcast } from '../get.ts'
import { isSent, isUnderWay } from '../queries.ts'
import type { RecipientStatus, RecipientsQuery } from './schema.ts'

type Row = { id: string; email: string | null; status: RecipientStatus; emailId: string | null }

/** Lists a page of recipients, the contacts that were made last first. */
export async function listBroadcastRecipients(
  app: App,
  caller: Caller,
  id: string,
  { status, ...query }: RecipientsQuery,
) {
  await getBroadcast(app, caller, id)
  const { teamId } = caller
  const reached = status ? sql`and ${conditions[status]}` : sql``
  const rows = sql<Row>`
    select recipient.contact_id as id, coalesce(contact.email, email.to_addresses[1]) as email, ${statusOf} as status,
      recipient.email_id as "emailId"
    from broadcast_recipients as recipient
    join broadcasts as broadcast on broadcast.team_id = recipient.team_id and broadcast.id = recipient.broadcast_id
    left join contacts as contact on contact.team_id = any(${teamsReadBy(teamId)}::uuid[]) and contact.id = recipient.contact_id
    left join emails as email on email.team_id = recipient.team_id and email.id = recipient.email_id
    where recipient.team_id = ${teamId} and recipient.broadcast_id = ${id} ${reached}
  `
  const key = { list: 'broadcast recipients', teamId, filters: { id, status } }
  const read = () => readPage(app, key, query, rows, { limitDefault: 20 })
  // A rare status is looked for among all recipients.
  const page = await (status ? runHeavyRead(app, teamId, 'search', read) : read())
  return { ...page, data: page.data.map(({ id: contactId, ...row }) => ({ contactId, ...row })) }
}

const isWaiting = sql`(outcome is null and broadcast.status <> 'sent' or ${isUnderWay})`
/** Also recipients without an outcome, if the broadcast was stopped. `broadcast` is its row. */
export const isCancelled = sql`(outcome = 'cancelled' or outcome is null and broadcast.status = 'sent' and broadcast.failed_at is null)`
/** Also recipients without an outcome, if the broadcast's job failed too often. */
export const isFailed = sql`(outcome = 'failed' or outcome is null and broadcast.status = 'sent' and broadcast.failed_at is not null)`

/** Recipients that ever reached a status, as the statistics count them. */
const conditions: Record<RecipientStatus, RawBuilder<unknown>> = {
  queued: isWaiting,
  sent: isSent,
  delivered: sql`delivered`,
  opened: sql`opened`,
  clicked: sql`clicked`,
  bounced: sql`bounced`,
  complained: sql`complained`,
  unsubscribed: sql`outcome in ('unsubscribed', 'gone')`,
  suppressed: sql`outcome = 'suppressed'`,
  notOptedIn: sql`outcome = 'not_opted_in'`,
  cancelled: isCancelled,
  failed: isFailed,
}

/** The furthest that a recipient has come. */
const statusOf = sql`case
  when complained then 'complained' when bounced then 'bounced' when clicked then 'clicked' when opened then 'opened'
  when delivered then 'delivered' when ${isWaiting} then 'queued' when ${isCancelled} then 'cancelled' when ${isFailed} then 'failed'
  when outcome = 'not_opted_in' then 'notOptedIn' when outcome = 'gone' then 'unsubscribed' else outcome
end`
