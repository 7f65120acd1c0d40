import { sql } from 'kysely'
import type { Schedule } from '../../platform/jobs/job.ts'

/** More than five seconds of writing make; what is left is folded the next time. */
const changesMax = 100_000

/**
 * Adds the noted changes to what the teams store. Until then an email is checked without them: so a team may pass its bound
 * by what it stored beside emails in the last seconds. Changes of teams that are gone go too.
 */
export const foldStoredBytes: Schedule = {
  kind: 'emails.fold-stored-bytes',
  everyMs: 5000,
  async run(app) {
    // Rows are locked in the order of their teams, as they are where emails are accepted.
    await app.transaction((tx) =>
      sql`
        with changes as (
          delete from stored_byte_changes
          where id in (select id from stored_byte_changes order by id limit ${changesMax})
          returning team_id, change
        ),
        sums as (
          select team_id, sum(change) as change from changes
          where exists (select from teams where id = changes.team_id) group by team_id
        )
        insert into email_usage (team_id, day, emails_today, bucket_tokens, bucket_at, stored_bytes)
        select team_id, '1970-01-01', 0, 0, '1970-01-01', change from sums order by team_id
        on conflict (team_id) do update set stored_bytes = email_usage.stored_bytes + excluded.stored_bytes
      `.execute(tx.db),
    )
  },
}
