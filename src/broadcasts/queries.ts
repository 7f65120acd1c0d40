import { type Selectable, sql } from 'kysely'
import type { App, Db, Tx } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { bytesOf, type Page, type PageQuery, readPage } from '../platform/pagination.ts'
import type { Broadcast } from './schema.ts'
import type { BroadcastsTable } from './table.ts'

const columns = sql`broadcast.id, broadcast.name, from_address as "from", segment_id as "segmentId",
  coalesce(segment.name, segment_name) as "segmentName", topic_id as "topicId", reply_to as "replyTo", subject, html, text,
  status, scheduled_at as "scheduledAt", sent_at as "sentAt", broadcast.created_at as "createdAt"`

const source = sql`broadcasts as broadcast
  left join segments as segment on segment.team_id = broadcast.team_id and segment.id = broadcast.segment_id`

/** With `domainName`, only if it is sent from that domain. */
export async function findBroadcast(
  db: Db,
  teamId: string,
  id: string,
  domainName: string | null = null,
): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    select ${columns} from ${source}
    where broadcast.team_id = ${teamId} and broadcast.id = ${id}
      and (${domainName}::text is null or domain_name = ${domainName})
  `.execute(db)
  return rows[0]
}

/** Newest first. */
export function listBroadcastsOfTeam(
  app: App,
  teamId: string,
  domainName: string | null,
  query: PageQuery,
): Promise<Page<Broadcast>> {
  const ofDomain = domainName === null ? sql`` : sql`and domain_name = ${domainName}`
  const rows = sql<Broadcast>`select ${columns} from ${source} where broadcast.team_id = ${teamId} ${ofDomain}`
  const key = { list: 'broadcasts', teamId, filters: { domainName: domainName ?? undefined } }
  return readPage(app, key, query, rows, { bytes: bytesOf('html', 'text', 'subject', 'from', 'replyTo') })
}

export type BroadcastRow = Selectable<BroadcastsTable>

/** The whole row, locked against all other changes. */
export function lockBroadcastRow(tx: Tx, teamId: string, id: string): Promise<BroadcastRow | undefined> {
  return tx.db
    .selectFrom('broadcasts')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Throws `notFound`. */
export async function lockBroadcast(tx: Tx, teamId: string, id: string): Promise<BroadcastRow> {
  const row = await lockBroadcastRow(tx, teamId, id)
  if (!row) throw notFound('broadcast')
  return row
}
