import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../context.ts'

/** A list of ids, or an expression. */
type Ids = string[] | RawBuilder<unknown>
type Id = string | RawBuilder<unknown> | null

/** The condition that a contact is opted in to a topic. Its record is joined as `subscription`, if it has one. */
export function isOptedIn(teamIds: Ids, topicId: Id): RawBuilder<boolean> {
  return sql<boolean>`coalesce(subscription.status = 'opt_in', ${optedInByDefault(teamIds, topicId)})`
}

/**
 * The condition that contacts without a record of the topic are opted in to it, which is so only for topics that were
 * made that way by Resend's API, and until they are deleted.
 */
export function optedInByDefault(teamIds: Ids, topicId: Id): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from topics as topic join resend_extras as extras on extras.team_id = topic.team_id and extras.id = topic.id
    where topic.team_id = any(${teamIds}::uuid[]) and topic.id = ${topicId}::uuid
      and extra->>'default_subscription' = 'opt_in'
  )`
}

/** Selects the `id` and `name` of the topics of a team that contacts without a record are opted in to. */
export function topicsOptedInByDefault(teamId: string): RawBuilder<unknown> {
  return sql`
    select topic.id, topic.name from resend_extras as extras
    join topics as topic on topic.team_id = extras.team_id and topic.id = extras.id
    where extras.team_id = ${teamId} and noun = 'topic' and extra->>'default_subscription' = 'opt_in'
  `
}

export async function isTopicOptedInByDefault(db: Db, teamId: string, topicId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${optedInByDefault([teamId], topicId)} as is`.execute(db)
  return rows[0]!.is
}
