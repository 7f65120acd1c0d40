import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../context.ts'
import type { Database } from '../database.ts'
import { orNotFound } from '../platform/errors.ts'
import { isTestTeam, liveTeamIn, liveTeamOf, modeIn, teamsReadBy } from '../platform/mode/mode.ts'
import type { Broadcast } from './schema.ts'

export const broadcastColumns = sql`broadcast.id, broadcast.name, from_address as "from", segment_id as "segmentId",
  coalesce(segment.name, segment_name) as "segmentName", topic_id as "topicId", reply_to as "replyTo", subject, html, text,
  status, ${modeIn(sql`broadcast.team_id`)} as mode, scheduled_at as "scheduledAt", sent_at as "sentAt", broadcast.created_at as "createdAt"`

export const broadcastSource = sql`broadcasts as broadcast
  left join segments as segment on segment.team_id in (broadcast.team_id, ${liveTeamIn(sql`broadcast.team_id`)}) and segment.id = broadcast.segment_id`

/** The recipient's email was made and is not handed over yet. An index has the rows of which this is true. */
export const isUnderWay = sql`(outcome = 'sent' and not settled)`

/** The API counts the recipient as sent: the email was handed over, or ended without that. */
export const isSent = sql`(outcome = 'sent' and settled)`

/**
 * Limits the broadcasts that a caller sees: with `domainName` to those from that domain, without `readsLive` to those
 * that are not for people of the live team.
 */
export type Seen = { domainName: string | null; readsLive: boolean }

const everything: Seen = { domainName: null, readsLive: true }

/** The condition on `broadcast` that a caller sees it. */
export function isSeen({ domainName, readsLive }: Seen): RawBuilder<unknown> {
  return sql`(${domainName}::text is null or domain_name = ${domainName}) and (${readsLive} or not broadcast.reads_live)`
}

/** Finds a broadcast, if it is among what the caller sees. */
export async function findBroadcast(
  db: Db,
  teamId: string,
  id: string,
  seen: Seen = everything,
): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    select ${broadcastColumns} from ${broadcastSource}
    where broadcast.team_id = ${teamId} and broadcast.id = ${id} and ${isSeen(seen)}
  `.execute(db)
  return rows[0]
}

/** Notes in test mode whether a broadcast is for people of the live team, once its segment and topic are written. */
export async function noteAudience(tx: Tx, teamId: string, id: string): Promise<void> {
  if (!isTestTeam(teamId)) return
  const liveId = liveTeamOf(teamId)
  await sql`
    update broadcasts as broadcast set reads_live = exists (
      select from segments where team_id = ${liveId} and id = broadcast.segment_id
    ) or exists (select from topics where team_id = ${liveId} and id = broadcast.topic_id)
    where team_id = ${teamId} and id = ${id}
  `.execute(tx.db)
}

/** Returns the ids whose people a broadcast reaches. */
export function teamsReachedByBroadcast({
  team_id,
  reads_live,
}: Pick<BroadcastRow, 'team_id' | 'reads_live'>): string[] {
  return reads_live ? teamsReadBy(team_id) : [team_id]
}

export type BroadcastRow = Selectable<Database['broadcasts']>

/** Locks a broadcast against all other changes and returns the whole row. Undefined if it does not exist. */
export function lockBroadcastRow(tx: Tx, teamId: string, id: string): Promise<BroadcastRow | undefined> {
  return tx.db
    .selectFrom('broadcasts')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Changes a broadcast. The caller holds the lock of its row. */
export async function updateBroadcastRow(
  tx: Tx,
  teamId: string,
  id: string,
  change: Updateable<Database['broadcasts']>,
): Promise<void> {
  await tx.db.updateTable('broadcasts').set(change).where('team_id', '=', teamId).where('id', '=', id).execute()
}

/** Locks a broadcast and returns the whole row. Throws `notFound`. */
export function lockBroadcast(tx: Tx, teamId: string, id: string): Promise<BroadcastRow> {
  return orNotFound('broadcast', lockBroadcastRow(tx, teamId, id))
}
