import { type RawBuilder, sql } from 'kysely'
import { foldCounts } from '../../platform/sql/fold-counts.ts'

/**
 * Makes an insert for a CTE, which notes by how many bytes the same statement changes what teams store. `changes` is a
 * query with the columns `team_id` and `bytes`. `foldStoredBytes` adds the bytes to the usage of the team. `offset 0`
 * keeps `changes` from being computed twice, for the sum and for the condition.
 */
export function noteStoredBytes(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into stored_byte_changes (team_id, change)
    select team_id, sum(bytes) from (${changes} offset 0) as changes group by team_id having sum(bytes) <> 0`
}

/**
 * Adds noted changes to the stored bytes of teams, which are in the row that each email locks. Emails are checked
 * against the folded bytes, so a team may exceed its limit by the other data that it stored in the last seconds.
 */
export const foldStoredBytes = foldCounts({
  changes: 'stored_byte_changes',
  totals: 'email_usage',
  keys: ['team_id'],
  sums: { change: 'stored_bytes' },
  owner: { table: 'teams', columns: { id: 'team_id' } },
})
