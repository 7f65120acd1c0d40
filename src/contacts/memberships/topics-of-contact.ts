import { type RawBuilder, sql } from 'kysely'
import { topicsOptedInByDefault } from '../../topics/opted-in-by-default.ts'
import { membershipsMax } from './memberships-max.ts'

/**
 * Selects the `id` and `name` of the topics that a contact is opted in to, also those by default. They are the newest
 * `membershipsMax` and in no order.
 */
export function topicsOfContact(teamId: string, contactId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, name from (
      (select topic.id, topic.name from topic_subscriptions as subscription
      join topics as topic on topic.team_id = subscription.team_id and topic.id = subscription.topic_id
      where subscription.team_id = ${teamId} and subscription.contact_id = ${contactId} and subscription.status = 'opt_in')
      union all
      (select id, name from (${topicsOptedInByDefault(teamId)}) as topic where not exists (
        select from topic_subscriptions as subscription
        where subscription.team_id = ${teamId} and subscription.topic_id = topic.id and subscription.contact_id = ${contactId}
      ))
    ) as topic
    order by id desc limit ${sql.lit(membershipsMax)}
  `
}
