import { type RawBuilder, sql } from 'kysely'

/** The most segments, and the most topics, that an answer names for one contact. The newest are named. */
export const membershipsMax = 1000

/** The bytes of an id and of its member names in JSON. */
const entryBytes = 60

/** Makes SQL for the bytes that the segments and topics of a contact take in an answer. */
export function membershipBytes(teamId: string, contactId: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    select coalesce(sum(octet_length(membership.name) + ${sql.lit(entryBytes)}), 0) from (
      (select segment.name from segment_contacts as member
      join segments as segment on segment.team_id = member.team_id and segment.id = member.segment_id
      where member.team_id = ${teamId} and member.contact_id = ${contactId} limit ${sql.lit(membershipsMax)})
      union all
      (select topic.name from topic_subscriptions as subscription
      join topics as topic on topic.team_id = subscription.team_id and topic.id = subscription.topic_id
      where subscription.team_id = ${teamId} and subscription.contact_id = ${contactId}
        and subscription.status = 'opt_in' limit ${sql.lit(membershipsMax)})
    ) as membership
  )`
}
