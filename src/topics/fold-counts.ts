import { foldCounts } from '../platform/sql/fold-counts.ts'

const ofTopic = {
  keys: ['team_id', 'topic_id'],
  owner: { table: 'topics', columns: { team_id: 'team_id', id: 'topic_id' } },
}

export const topicFolds = [
  foldCounts({
    ...{ changes: 'topic_count_changes', totals: 'topic_counts', ...ofTopic },
    sums: { subscribers: 'subscribers' },
  }),
  foldCounts({
    ...{ changes: 'topic_opt_out_changes', totals: 'topic_opt_out_counts', ...ofTopic },
    sums: { contacts: 'contacts' },
  }),
]
