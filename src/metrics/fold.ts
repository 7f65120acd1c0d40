import { foldCounts } from '../platform/sql/fold-counts.ts'
import { type Counted, counted } from './counts.ts'
import { admitTags } from './tags.ts'

export const metricFolds = Object.values<Counted>(counted).map(({ table, columns }) =>
  foldCounts({
    changes: `${table}_metric_changes`,
    totals: `${table}_metrics`,
    keys: ['team_id', 'scope', 'hour'],
    each: { key: 'scope', of: 'scopes' },
    sums: Object.fromEntries(columns.map((column) => [column, column])),
    ...(table === 'email' && { admission: admitTags }),
    owner: { table: 'teams', columns: { id: 'team_id' } },
  }),
)
