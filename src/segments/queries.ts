import { sql } from 'kysely'
import type { Db, Tx } from '../context.ts'

export type Segment = { id: string; name: string; contactCount: number; unsubscribedCount: number; createdAt: Date }

export async function findSegment(db: Db, teamId: string, id: string): Promise<Segment | undefined> {
  const { rows } = await sql<Segment>`${counted} where segments.team_id = ${teamId} and segments.id = ${id}`.execute(db)
  return rows[0]
}

export type LockedSegment = { name: string; teamId: string }

/** Finds a segment and locks it against deletion until the unit of work ends. Undefined if none of the teams has it. */
export async function lockSegment(tx: Tx, teamIds: string[], id: string): Promise<LockedSegment | undefined> {
  const { rows } = await sql<LockedSegment>`
    select name, team_id as "teamId" from segments where team_id = any(${teamIds}::uuid[]) and id = ${id} for key share
  `.execute(tx.db)
  return rows[0]
}

/** Adds the totals and the changes since in one snapshot, so that counts are exact. */
export const counted = sql`
  select segments.id, segments.name,
    (coalesce(kept.contacts, 0) + coalesce(newer.contacts, 0))::integer as "contactCount",
    (coalesce(kept.unsubscribed, 0) + coalesce(newer.unsubscribed, 0))::integer as "unsubscribedCount",
    segments.created_at as "createdAt"
  from segments
  left join segment_counts kept on kept.team_id = segments.team_id and kept.segment_id = segments.id
  left join lateral (
    select sum(contacts) as contacts, sum(unsubscribed) as unsubscribed from segment_count_changes changes
    where changes.team_id = segments.team_id and changes.segment_id = segments.id
  ) newer on true`
