import { sql } from 'kysely'
import type { Schedule } from '../../platform/jobs/job.ts'

/** Folds count changes into the counts, so that reading a total stays a matter of few rows. */
export const foldCounts: Schedule = {
  kind: 'emails.fold-counts',
  everyMs: 5000,
  async run(app) {
    await app.transaction((tx) =>
      sql`
        with changes as (delete from email_count_changes returning team_id, domain_id, status, from_address, change),
        sums as (
          select team_id, domain_id, status, from_address, sum(change) as change from changes group by 1, 2, 3, 4
        )
        insert into email_counts (team_id, domain_id, status, from_address, count)
        select team_id, domain_id, status, from_address, change from sums where change <> 0
        on conflict (team_id, domain_id, status, from_address) do update set count = email_counts.count + excluded.count
      `.execute(tx.db),
    )
  },
}
