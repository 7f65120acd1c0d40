import { sql } from 'kysely'
import type { Schedule } from '../../platform/jobs/job.ts'

/** More than five seconds of writing make; what is left is folded the next time, and counted until then. */
const changesMax = 100_000

/** Folds count changes into the counts, so that reading a count stays a matter of few rows. */
export const foldSegmentCounts: Schedule = {
  kind: 'segments.fold-counts',
  everyMs: 5000,
  async run(app) {
    // Segments that are gone are passed over, and their changes with them; the others stay until the commit.
    await app.transaction((tx) =>
      sql`
        with changes as (
          delete from segment_count_changes
          where id in (select id from segment_count_changes order by id limit ${changesMax})
          returning team_id, segment_id, contacts, unsubscribed
        ),
        alive as (
          select team_id, id from segments
          where (team_id, id) in (select team_id, segment_id from changes) order by team_id, id for key share
        )
        insert into segment_counts (team_id, segment_id, contacts, unsubscribed)
        select team_id, segment_id, sum(contacts), sum(unsubscribed)
        from changes join alive using (team_id) where alive.id = changes.segment_id group by 1, 2
        on conflict (team_id, segment_id) do update set
          contacts = segment_counts.contacts + excluded.contacts,
          unsubscribed = segment_counts.unsubscribed + excluded.unsubscribed
      `.execute(tx.db),
    )
  },
}
