import { foldCounts } from '../platform/fold-counts.ts'
import type { Schedule } from '../platform/jobs/job.ts'
import { type Counted, counted } from './counts.ts'
import { admitTags } from './tags.ts'

const folds = Object.values<Counted>(counted).map(({ table, columns }) =>
  foldCounts({
    kind: `metrics.fold-${table}`,
    changes: `${table}_metric_changes`,
    totals: `${table}_metrics`,
    keys: ['team_id', 'scope', 'hour'],
    each: { key: 'scope', of: 'scopes' },
    sums: Object.fromEntries(columns.map((column) => [column, column])),
    ...(table === 'email' && { admission: admitTags }),
    owner: { table: 'teams', columns: { id: 'team_id' } },
  }),
)

/** Adds the changes of all metrics to their totals every five seconds. One schedule, since most have nothing to fold. */
export const foldMetrics: Schedule = {
  kind: 'metrics.fold',
  everyMs: 5000,
  async run(app) {
    for (const fold of folds) await fold.run(app)
  },
}
