import { foldCounts } from '../../platform/fold-counts.ts'

/**
 * Adds noted changes to the bytes that teams store. Emails are checked against the folded bytes, so a team may pass its bound
 * by what it stored beside emails in the last seconds.
 */
export const foldStoredBytes = foldCounts({
  kind: 'emails.fold-stored-bytes',
  changes: 'stored_byte_changes',
  totals: 'email_usage',
  keys: ['team_id'],
  sums: { change: 'stored_bytes' },
  owner: { table: 'teams', columns: { id: 'team_id' } },
})
