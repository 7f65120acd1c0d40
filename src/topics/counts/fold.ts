import { sql } from 'kysely'
import type { Schedule } from '../../platform/jobs/job.ts'

/** More than five seconds of writing make; what is left is folded the next time, and counted until then. */
const changesMax = 100_000

/** Folds count changes into the counts, so that reading a count stays a matter of few rows. */
export const foldTopicCounts: Schedule = {
  kind: 'topics.fold-counts',
  everyMs: 5000,
  async run(app) {
    // Topics that are gone are passed over, and their changes with them; the others stay until the commit.
    await app.transaction((tx) =>
      sql`
        with changes as (
          delete from topic_count_changes
          where id in (select id from topic_count_changes order by id limit ${changesMax})
          returning team_id, topic_id, subscribers
        ),
        alive as (
          select team_id, id from topics
          where (team_id, id) in (select team_id, topic_id from changes) order by team_id, id for key share
        )
        insert into topic_counts (team_id, topic_id, subscribers)
        select team_id, topic_id, sum(subscribers)
        from changes join alive using (team_id) where alive.id = changes.topic_id group by 1, 2
        on conflict (team_id, topic_id) do update set subscribers = topic_counts.subscribers + excluded.subscribers
      `.execute(tx.db),
    )
  },
}
