import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { liveTeamOf } from '../../platform/mode/mode.ts'
import { erasedForm } from '../../platform/privacy/person.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'
import { isOptedIn } from '../../topics/opted-in-by-default.ts'
import { outdateStatusCounts } from '../list/outdate-counts.ts'
import { returnQuota } from '../quota/usage.ts'
import { type SkipReason, skipReason } from './skip-reason.ts'

/** An email of a broadcast has one recipient. */
type Waiting = { teamId: string; id: string; to: string[] }
export type Unwanted = { teamId: string; emailId: string; reason: SkipReason }

/**
 * Cancels emails of broadcasts whose recipient unsubscribed, left the topic, was suppressed or was deleted after they
 * were made. Returns their ids. Records no bounces, because the caller did not ask for each of these emails.
 */
export async function cancelIfUnwanted(tx: Tx, emails: Waiting[]): Promise<string[]> {
  const unwanted = await findUnwanted(tx, emails)
  await cancelUnwanted(tx, unwanted)
  return unwanted.map(({ emailId }) => emailId)
}

/** Cancels emails that `findUnwanted` found. The caller ensures that none of them is handed over meanwhile. */
export async function cancelUnwanted(tx: Tx, unwanted: Unwanted[]): Promise<void> {
  if (unwanted.length === 0) return
  await outdateStatusCounts(tx, unwanted)
  const { rows } = await sql<{ teamId: string; createdAt: Date }>`
    update emails set status = 'cancelled'
    from ${rowsOf(unwanted, { teamId: 'uuid', emailId: 'uuid' }).as('unwanted')}
    where emails.team_id = unwanted.team_id and emails.id = unwanted.email_id
    returning emails.team_id as "teamId", created_at as "createdAt"
  `.execute(tx.db)
  const counted = Map.groupBy(rows, ({ teamId }) => teamId)
  for (const teamId of [...counted.keys()].sort()) await returnQuota(tx, teamId, counted.get(teamId)!)
  const news = unwanted.map(({ teamId, ...data }) => ({ type: 'email.ended_unsent' as const, teamId, data }))
  await publish(tx, news)
}

/**
 * Finds emails whose recipient may not get them any more, with the reason. A deleted contact counts as unsubscribed.
 */
export async function findUnwanted(
  { db, keyring }: Pick<Tx, 'db' | 'keyring'>,
  emails: Waiting[],
): SentAtOnce<Unwanted[]> {
  if (emails.length === 0) return []
  const waiting = emails.map(({ to, ...email }) => {
    const address = normalizeAddress(to[0]!)
    return { ...email, liveId: liveTeamOf(email.teamId), address, erased: erasedForm(keyring, address) }
  })
  const forms = { teamId: 'uuid', liveId: 'uuid', id: 'uuid', address: 'text', erased: 'text' } as const
  const owners = sql`array[broadcast.team_id, broadcast.owner_id]`
  const { rows } = await sql<Unwanted>`
    select email.team_id as "teamId", email.id as "emailId", decision.reason
    from ${rowsOf(waiting, forms).as('email')}
    left join lateral (
      select recipient.team_id, recipient.contact_id, topic_id,
        case when reads_live then email.live_id else email.team_id end as owner_id
      from broadcast_recipients as recipient
      join broadcasts on broadcasts.team_id = recipient.team_id and broadcasts.id = recipient.broadcast_id
      where recipient.team_id = email.team_id and recipient.email_id = email.id limit 1
    ) as broadcast on true
    left join lateral (
      select unsubscribed from contacts where team_id = any(${owners}) and id = broadcast.contact_id limit 1
    ) as contact on true
    left join lateral (
      select status from topic_subscriptions
      where team_id = any(${owners}) and topic_id = broadcast.topic_id and contact_id = broadcast.contact_id
        and exists (select from topics where team_id = any(${owners}) and id = broadcast.topic_id) limit 1
    ) as subscription on true
    left join lateral (
      select id from suppressions where team_id = email.team_id and email_normalized in (email.address, email.erased) limit 1
    ) as suppression on true
    cross join lateral (
      select ${skipReason({
        unsubscribed: sql`broadcast.contact_id is not null and coalesce(contact.unsubscribed, true)`,
        suppressed: sql`suppression.id is not null`,
        not_opted_in: sql`broadcast.topic_id is not null and not ${isOptedIn(owners, sql`broadcast.topic_id`)}`,
      })} as reason
    ) as decision
    where decision.reason is not null
  `.execute(db)
  return rows
}
