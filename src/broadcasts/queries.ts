import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { liveTeamIn, modeIn } from '../platform/mode.ts'
import type { Broadcast } from './schema.ts'
import type { BroadcastsTable } from './table.ts'

export const broadcastColumns = sql`broadcast.id, broadcast.name, from_address as "from", segment_id as "segmentId",
  coalesce(segment.name, segment_name) as "segmentName", topic_id as "topicId", reply_to as "replyTo", subject, html, text,
  status, ${modeIn(sql`broadcast.team_id`)} as mode, scheduled_at as "scheduledAt", sent_at as "sentAt", broadcast.created_at as "createdAt"`

export const broadcastSource = sql`broadcasts as broadcast
  left join segments as segment on segment.team_id in (broadcast.team_id, ${liveTeamIn(sql`broadcast.team_id`)}) and segment.id = broadcast.segment_id`

/** Finds a broadcast; with `domainName`, only if it is from that domain. */
export async function findBroadcast(
  db: Db,
  teamId: string,
  id: string,
  domainName: string | null = null,
): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    select ${broadcastColumns} from ${broadcastSource}
    where broadcast.team_id = ${teamId} and broadcast.id = ${id}
      and (${domainName}::text is null or domain_name = ${domainName})
  `.execute(db)
  return rows[0]
}

export type BroadcastRow = Selectable<BroadcastsTable>

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

/** Locks a broadcast and returns the whole row. Throws `notFound`. */
export function lockBroadcast(tx: Tx, teamId: string, id: string): Promise<BroadcastRow> {
  return orNotFound('broadcast', lockBroadcastRow(tx, teamId, id))
}
