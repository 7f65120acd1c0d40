import { type RawBuilder, sql } from 'kysely'
import type { App, Caller } from '../../context.ts'
import { skipReason } from '../../emails/of-broadcasts/skip-reason.ts'
import { runHeavyRead } from '../../platform/http/overload/heavy-reads.ts'
import { teamsReadBy } from '../../platform/mode/mode.ts'
import { isOptedIn } from '../../topics/opted-in-by-default.ts'
import { getBroadcast } from '../get.ts'

type Counts = { total: number; unsubscribed: number; suppressed: number; notOptedIn: number }

/**
 * Counts the contacts of the segment by what sending would decide now. None is `gone`, since a deleted contact is in no
 * segment. An id is of one team, so the teams that the caller reads give the count of those reached.
 */
export async function getBroadcastAudience(app: App, caller: Caller, id: string) {
  const { segmentId, topicId } = await getBroadcast(app, caller, id)
  const { teamId } = caller
  const ownerIds = teamsReadBy(teamId)
  const { total, ...skipped } = await runHeavyRead(app, teamId, 'search', async () => {
    const { rows } = await sql<Counts>`
      select count(*)::int as total,
        count(*) filter (where reason = 'unsubscribed')::int as unsubscribed,
        count(*) filter (where reason = 'suppressed')::int as suppressed,
        count(*) filter (where reason = 'not_opted_in')::int as "notOptedIn"
      from (
        select ${skipReason({
          unsubscribed: sql`contact.unsubscribed`,
          suppressed: sql`entry.id is not null or erased.id is not null`,
          not_opted_in: sql`${topicId}::uuid is not null and not ${isOptedIn(ownerIds, topicId)}`,
        })} as reason
        from segment_contacts as member
        join contacts as contact on contact.team_id = any(${ownerIds}::uuid[]) and contact.id = member.contact_id
        left join suppressions as entry on entry.team_id = ${teamId} and entry.email_normalized = contact.email_key
        left join suppressions as erased on erased.team_id = ${teamId} and erased.email_normalized = contact.erased_form
        left join topic_subscriptions as subscription on subscription.team_id = any(${ownerIds}::uuid[])
          and subscription.topic_id = (${existing('topics', ownerIds, topicId)}) and subscription.contact_id = member.contact_id
        where member.team_id = any(${ownerIds}::uuid[]) and member.segment_id = (${existing('segments', ownerIds, segmentId)})
      ) as decided
    `.execute(app.db)
    return rows[0]!
  })
  const { unsubscribed, suppressed, notOptedIn } = skipped
  return { total, recipients: total - unsubscribed - suppressed - notOptedIn, skipped }
}

/** Selects the id, unless it is that of a deleted segment or topic, whose members a job has yet to remove. */
function existing(table: 'segments' | 'topics', teamIds: string[], id: string | null): RawBuilder<string> {
  return sql`select id from ${sql.table(table)} where team_id = any(${teamIds}::uuid[]) and id = ${id}::uuid`
}
