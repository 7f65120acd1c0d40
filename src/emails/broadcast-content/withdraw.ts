import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { liveTeamOf } from '../../platform/mode/mode.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { normalizeAddress } from '../../platform/text/mail-address.ts'
import { noteStatusMoves } from '../list/search-count.ts'
import { returnQuota } from '../quota/usage.ts'

/** An email of a broadcast has one recipient. */
type Waiting = { teamId: string; id: string; to: string[] }
export type Unwanted = { teamId: string; emailId: string; reason: 'unsubscribed' | 'suppressed' }

/**
 * Cancels emails of broadcasts whose recipient unsubscribed or was suppressed after they were made. Returns their ids.
 * Records no bounces, because the caller did not ask for each of these emails.
 */
export async function withdrawUnwanted(tx: Tx, emails: Waiting[]): Promise<string[]> {
  const unwanted = await findUnwanted(tx.db, emails)
  await withdrawEmails(tx, unwanted)
  return unwanted.map(({ emailId }) => emailId)
}

/** Cancels emails that `findUnwanted` found. The caller ensures that none of them is handed over meanwhile. */
export async function withdrawEmails(tx: Tx, unwanted: Unwanted[]): Promise<void> {
  if (unwanted.length === 0) return
  await noteStatusMoves(tx, unwanted)
  const { rows } = await sql<{ teamId: string; createdAt: Date }>`
    update emails set status = 'cancelled'
    from ${rowsOf(unwanted, { teamId: 'uuid', emailId: 'uuid' }).as('unwanted')}
    where emails.team_id = unwanted.team_id and emails.id = unwanted.email_id
    returning emails.team_id as "teamId", created_at as "createdAt"
  `.execute(tx.db)
  const counted = Map.groupBy(rows, ({ teamId }) => teamId)
  for (const teamId of [...counted.keys()].sort())
    await returnQuota(
      tx,
      teamId,
      counted.get(teamId)!.map(({ createdAt }) => createdAt),
    )
  await publish(
    tx,
    unwanted.map(({ teamId, emailId, reason }) => ({ type: 'email.withdrawn', teamId, data: { emailId, reason } })),
  )
}

/** Finds emails whose recipient is unsubscribed or suppressed, with the reason. */
export async function findUnwanted(db: Db, emails: Waiting[]): Promise<Unwanted[]> {
  if (emails.length === 0) return []
  const waiting = emails.map(({ to, ...email }) => ({
    ...email,
    liveId: liveTeamOf(email.teamId),
    address: normalizeAddress(to[0]!),
  }))
  const { rows } = await sql<Unwanted>`
    select email.team_id as "teamId", email.id as "emailId",
      case when contact.unsubscribed then 'unsubscribed' else 'suppressed' end as reason
    from ${rowsOf(waiting, { teamId: 'uuid', liveId: 'uuid', id: 'uuid', address: 'text' }).as('email')}
    left join lateral (
      select reads_live from email_contents as body
      join broadcasts on broadcasts.team_id = body.team_id and broadcasts.id = body.letter_id
      where body.team_id = email.team_id and body.email_id = email.id limit 1
    ) as broadcast on true
    left join lateral (
      select unsubscribed from contacts
      where team_id = case when broadcast.reads_live then email.live_id else email.team_id end
        and email_key = email.address limit 1
    ) as contact on true
    left join lateral (
      select id from suppressions where team_id = email.team_id and email_normalized = email.address limit 1
    ) as suppression on true
    where contact.unsubscribed or suppression.id is not null
  `.execute(db)
  return rows
}
