import { type RawBuilder, sql } from 'kysely'
import type { Admission } from '../platform/sql/fold-counts.ts'

/**
 * The tags that are counted for a team on a UTC day, so that a tag of its own for each email costs a bounded number of
 * rows. The first ones of a day are counted; further ones count into the other figures only.
 */
const tagsMax = 1000

const dayOf = (hour: string) => sql`(${sql.ref(hour)} at time zone 'UTC')::date`

/**
 * Registers the new tags of the changes that are folded, in their order, and folds those of registered tags. Sets are
 * compared as wholes, since a look-up for each of 100,000 changes takes longer than a statement may.
 */
export const admitTags: Admission = {
  steps: sql`
    tags as materialized (
      select team_id, ${dayOf('hour')} as day, scope, min(id) as first from changes
      where is_tag_scope(scope) and team_id in (select id from owner) group by 1, 2, 3
    ), days as materialized (
      select distinct team_id, day from tags
    ), known as materialized (
      select days.team_id, days.day, tag.scope from days cross join lateral (
        select scope from email_metric_tags where team_id = days.team_id and day = days.day offset 0
      ) as tag
    ), room as (
      select team_id, day, ${tagsMax} - count(known.scope) as places
      from days left join known using (team_id, day) group by 1, 2
    ), waiting as (
      select team_id, day, scope, row_number() over (partition by team_id, day order by first, scope) as place from tags
      where (team_id, day, scope) not in (select team_id, day, scope from known)
    ), admitted as (
      insert into email_metric_tags (team_id, day, scope)
      select team_id, day, scope from waiting join room using (team_id, day) where place <= places
      order by 1, 2, 3
      on conflict (team_id, day, scope) do update set scope = excluded.scope
      returning team_id, day, scope
    )`,
  condition: sql`
    not is_tag_scope(changes.scope) or (changes.team_id, ${dayOf('changes.hour')}, changes.scope) in (
      select team_id, day, scope from known union all select team_id, day, scope from admitted
    )`,
}

/**
 * The condition for changes of a tag that are not folded yet: those that folding will count, so that a figure never
 * shrinks.
 */
export function isTagCounted(teamId: string, scope: string): RawBuilder<boolean> {
  return sql<boolean>`${dayOf('hour')} in (
    select own.day from (
      select ${dayOf('hour')} as day, min(id) as first from email_metric_changes
      where team_id = ${teamId} and ${scope} = any(scopes) group by 1
    ) as own
    where not is_tag_scope(${scope}) or exists (
      select from email_metric_tags where team_id = ${teamId} and day = own.day and scope = ${scope}
    ) or ${tagsMax} > (
      select count(*) from email_metric_tags where team_id = ${teamId} and day = own.day
    ) + (
      select count(*) from (
        select tag from email_metric_changes as earlier cross join unnest(earlier.scopes) as tag
        where earlier.team_id = ${teamId} and ${dayOf('earlier.hour')} = own.day and (earlier.id, tag) < (own.first, ${scope}::uuid)
          and is_tag_scope(tag)
        except select scope from email_metric_tags where team_id = ${teamId} and day = own.day
      ) as before
    )
  )`
}
