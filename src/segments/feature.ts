import type { Feature } from '../platform/feature.ts'
import { foldCounts } from '../platform/sql/fold-counts.ts'
import { segmentRoutes } from './routes.ts'
import { segmentTraces } from './traces.ts'

const foldSegmentCounts = foldCounts({
  changes: 'segment_count_changes',
  totals: 'segment_counts',
  keys: ['team_id', 'segment_id'],
  sums: { contacts: 'contacts', unsubscribed: 'unsubscribed' },
  owner: { table: 'segments', columns: { team_id: 'team_id', id: 'segment_id' } },
})

export const segments: Feature = {
  name: 'segments',
  routes: segmentRoutes,
  folds: [foldSegmentCounts],
  traces: segmentTraces,
}
