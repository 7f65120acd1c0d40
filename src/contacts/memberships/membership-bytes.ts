import { type RawBuilder, sql } from 'kysely'
import { membershipsMax } from './memberships-max.ts'
import { topicsOfContact } from './topics-of-contact.ts'

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
      (select name from (${topicsOfContact(teamId, contactId)}) as topic)
    ) as membership
  )`
}
