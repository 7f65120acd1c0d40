import { foldCounts } from '../platform/sql/fold-counts.ts'

export const foldTopicCounts = foldCounts({
  changes: 'topic_count_changes',
  totals: 'topic_counts',
  keys: ['team_id', 'topic_id'],
  sums: { subscribers: 'subscribers' },
  owner: { table: 'topics', columns: { team_id: 'team_id', id: 'topic_id' } },
})
