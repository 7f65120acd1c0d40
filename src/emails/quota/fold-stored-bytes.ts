import { foldCounts } from '../../platform/sql/fold-counts.ts'

/**
 * Adds noted changes to the stored bytes of teams. Emails are checked against the folded bytes, so a team may exceed
 * its limit by the other data that it stored in the last seconds.
 */
export const foldStoredBytes = foldCounts({
  changes: 'stored_byte_changes',
  totals: 'email_usage',
  keys: ['team_id'],
  sums: { change: 'stored_bytes' },
  owner: { table: 'teams', columns: { id: 'team_id' } },
})
