import { sql } from 'kysely'
import type { Db, Tx } from '../context.ts'

export type Topic = { id: string; name: string; subscriberCount: number; createdAt: Date }

export async function findTopic(db: Db, teamId: string, id: string): Promise<Topic | undefined> {
  const { rows } = await sql<Topic>`${counted} where topics.team_id = ${teamId} and topics.id = ${id}`.execute(db)
  return rows[0]
}

export type LockedTopic = { name: string; teamId: string }

/** Finds a topic and locks it against deletion until the unit of work ends. Undefined if none of the teams has it. */
export async function lockTopic(tx: Tx, teamIds: string[], id: string): Promise<LockedTopic | undefined> {
  const { rows } = await sql<LockedTopic>`
    select name, team_id as "teamId" from topics where team_id = any(${teamIds}::uuid[]) and id = ${id} for key share
  `.execute(tx.db)
  return rows[0]
}

/** Adds the totals and the changes since in one snapshot, so that counts are exact. */
export const counted = sql`
  select topics.id, topics.name,
    (coalesce(kept.subscribers, 0) + coalesce(newer.subscribers, 0))::integer as "subscriberCount",
    topics.created_at as "createdAt"
  from topics
  left join topic_counts kept on kept.team_id = topics.team_id and kept.topic_id = topics.id
  left join lateral (
    select sum(subscribers) as subscribers from topic_count_changes changes
    where changes.team_id = topics.team_id and changes.topic_id = topics.id
  ) newer on true`
