import { foldCounts } from '../../platform/sql/fold-counts.ts'

export const foldEmailCounts = foldCounts({
  changes: 'email_count_changes',
  totals: 'email_counts',
  keys: ['team_id', 'domain_id', 'status', 'from_address'],
  lists: ['came', 'went'],
  sums: { change: 'count' },
})
