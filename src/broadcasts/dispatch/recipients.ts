import { sql } from 'kysely'
import { textFields, variableNames } from '../../contacts/fields.ts'
import type { Db, Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { isOptedIn } from '../../topics/opted-in-by-default.ts'
import type { ContactValues } from '../content/variables.ts'
import { isUnderWay } from '../queries.ts'
import type { Outcome } from '../table.ts'

const variableColumns = sql.join(
  variableNames.map((name) => sql`${sql.ref(textFields[name].column)} as ${sql.ref(name)}`),
)

/** A contact of the next page. `email` is null if the contact has been deleted. */
export type Recipient = ContactValues & {
  contactId: string
  unsubscribeSeed: string
  unsubscribed: boolean
  isOptedIn: boolean
}

/** `ownerIds` are those whose people the broadcast reaches. */
type PageOfRecipients = {
  teamId: string
  broadcastId: string
  ownerIds: string[]
  topicId: string | null
  after: string
  count: number
}

/**
 * Finds the next recipients after `after` with their present values. Properties may be long and are read only on
 * request. Each contact is looked up by its key, because a plain join far into a segment may be planned to read all
 * rows before the page.
 */
export async function findNextRecipients(
  db: Db,
  page: PageOfRecipients,
  withProperties: boolean,
): Promise<Recipient[]> {
  const { ownerIds } = page
  const { rows } = await sql<Recipient>`
    select recipient.contact_id as "contactId", email, ${variableColumns},
      case when ${withProperties} then properties end as properties, unsubscribe_seed as "unsubscribeSeed", unsubscribed,
      ${page.topicId}::uuid is null or ${isOptedIn(ownerIds, page.topicId)} as "isOptedIn"
    from broadcast_recipients as recipient
    left join lateral (
      select * from contacts where team_id = any(${ownerIds}::uuid[]) and id = recipient.contact_id limit 1
    ) as contact on true
    left join lateral (
      select status from topic_subscriptions where team_id = any(${ownerIds}::uuid[]) and topic_id = ${page.topicId}
        and contact_id = recipient.contact_id
        and exists (select from topics where team_id = any(${ownerIds}::uuid[]) and id = ${page.topicId}) limit 1
    ) as subscription on true
    where recipient.team_id = ${page.teamId} and broadcast_id = ${page.broadcastId} and recipient.contact_id > ${page.after}
    order by recipient.contact_id limit ${page.count}
  `.execute(db)
  return rows
}

type Decision = { contactId: string; outcome: Outcome; emailId: string | null }

/** Records the decisions of a page, which are in the order of contacts. */
export async function recordDecisions(
  tx: Tx,
  { teamId, broadcastId }: Pick<PageOfRecipients, 'teamId' | 'broadcastId'>,
  decisions: Decision[],
): Promise<void> {
  if (decisions.length === 0) return
  // The range of ids lets the planner find the rows; without it, it would read the whole broadcast.
  await sql`
    update broadcast_recipients as recipient set outcome = new.outcome, email_id = new.email_id
    from ${rowsOf(decisions, { contactId: 'uuid', outcome: 'text', emailId: 'uuid' }).as('new')}
    where team_id = ${teamId} and broadcast_id = ${broadcastId} and recipient.contact_id = new.contact_id
      and recipient.contact_id between ${decisions[0]!.contactId} and ${decisions.at(-1)!.contactId} and recipient.outcome is null
  `.execute(tx.db)
}

/** Counts emails that were made and not handed over yet. */
export async function countUnderWay(db: Db, teamId: string, broadcastId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from broadcast_recipients
    where team_id = ${teamId} and broadcast_id = ${broadcastId} and ${isUnderWay}
  `.execute(db)
  return rows[0]!.count
}

/**
 * Finds the emails that `countUnderWay` counts: at most a few thousand, because dispatching waits until they are handed
 * over.
 */
export async function findEmailsUnderWay(db: Db, teamId: string, broadcastId: string): Promise<string[]> {
  const { rows } = await sql<{ emailId: string }>`
    select email_id as "emailId" from broadcast_recipients
    where team_id = ${teamId} and broadcast_id = ${broadcastId} and ${isUnderWay}
  `.execute(db)
  return rows.map(({ emailId }) => emailId)
}

/**
 * Records emails that ended before a host had them. Returns their number for each broadcast. An email that
 * waits for the hosts of its recipient's domain is settled already. One that failed has just bounced unsent, and counts
 * as failed only.
 */
export async function recordSkipped(
  tx: Tx,
  emails: { teamId: string; emailId: string }[],
  outcome: 'unsubscribed' | 'suppressed' | 'not_opted_in' | 'cancelled' | 'failed' | 'gone',
): Promise<{ teamId: string; broadcastId: string; count: number }[]> {
  if (emails.length === 0) return []
  const hasFailed = outcome === 'failed'
  const { rows } = await sql<{ teamId: string; broadcastId: string; count: number }>`
    with skipped as (
      update broadcast_recipients as recipient set outcome = ${outcome}, settled = true, bounced = bounced and not ${hasFailed}
      from ${rowsOf(emails, { teamId: 'uuid', emailId: 'uuid' }).as('email')}
      where recipient.team_id = email.team_id and recipient.email_id = email.email_id and outcome = 'sent'
        and not (delivered or bounced and not ${hasFailed} or complained)
      returning recipient.team_id, broadcast_id
    )
    select team_id as "teamId", broadcast_id as "broadcastId", count(*)::int as count from skipped group by 1, 2
  `.execute(tx.db)
  return rows
}

/**
 * Settles emails that ended without an event, as those that processes of an older version cancelled one by one or
 * erased. Returns their number. Each email is looked up by its key, because a plain join may be planned to read
 * all emails of the team.
 */
export async function settleEnded(tx: Tx, teamId: string, broadcastId: string): Promise<number> {
  const settled = await sql`
    with ended as materialized (
      select contact_id,
        case when email.status is null then 'gone' when email.status = 'cancelled' then 'cancelled' else 'sent' end as outcome
      from broadcast_recipients as recipient
      left join lateral (
        select status, sent_at from emails where team_id = recipient.team_id and id = recipient.email_id limit 1
      ) as email on true
      where team_id = ${teamId} and broadcast_id = ${broadcastId} and ${isUnderWay} and (
        email.status is null or sent_at is not null
        or email.status in ('delivered', 'bounced', 'complained', 'cancelled')
      )
    )
    update broadcast_recipients as recipient set settled = true, outcome = ended.outcome
    from ended
    where team_id = ${teamId} and broadcast_id = ${broadcastId} and recipient.contact_id = ended.contact_id
      and recipient.outcome = 'sent' and not settled
  `.execute(tx.db)
  return Number(settled.numAffectedRows)
}
