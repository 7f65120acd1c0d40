import { type RawBuilder, sql } from 'kysely'

/** The columns of removed events that `noteRemovedEvents` reads. The table is called `event`. */
export const removedEventColumns = sql`event.email_id, event.position, event.id`

/**
 * Writes the part of a `with` that notes the last place in the feed among the events in `gone`, so that readers that
 * had not come as far are told. Events of system mail are not in the feed.
 */
export function noteRemovedEvents(teamId: string): RawBuilder<unknown> {
  return sql`noted as (
    insert into email_event_removals as noted (team_id, position, id)
    select ${teamId}, gone.position, gone.id from gone
    join emails as email on email.team_id = ${teamId} and email.id = gone.email_id and not email.system
    where gone.position >= 0 order by gone.position desc, gone.id desc limit 1
    on conflict (team_id) do update set position = excluded.position, id = excluded.id
      where (noted.position, noted.id) < (excluded.position, excluded.id)
  )`
}
