import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that contacts without a record of the topic are opted in to it, which is so only for topics that were
 * made that way by Resend's API. Both may be expressions; `topicId` may be null.
 */
export function optedInByDefault(
  teamIds: string[] | RawBuilder<unknown>,
  topicId: string | RawBuilder<unknown> | null,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from resend_extras where team_id = any(${teamIds}::uuid[]) and id = ${topicId}::uuid
      and extra->>'default_subscription' = 'opt_in'
  )`
}
