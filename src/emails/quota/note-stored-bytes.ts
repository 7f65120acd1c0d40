import { type RawBuilder, sql } from 'kysely'

/**
 * An insert for a CTE: it notes what teams store more, or less, since the same statement. `changes` is a query with the
 * columns `team_id` and `bytes`. `foldStoredBytes` adds it to the usage of the team. `offset 0` keeps it from being
 * computed twice, for the sum and for the condition.
 */
export function noteStoredBytes(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into stored_byte_changes (team_id, change)
    select team_id, sum(bytes) from (${changes} offset 0) as changes group by team_id having sum(bytes) <> 0`
}
