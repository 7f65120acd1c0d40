import { sql } from 'kysely'
import type { Tx } from '../../context.ts'

/** The most jobs, of any team, that one call looks at: a fraction of a second. */
const lookedMax = 20_000

/**
 * Deletes the teams' jobs, at most `removedMax`, among the next ones of all teams after the id `after`. They are walked
 * through by id: an index by team would be written with each message, and read only when a team is deleted. Returns the
 * number of deleted jobs, and the id after which to go on; null if no job was left to look at.
 */
export async function deleteJobsOfTeams(
  tx: Tx,
  teamIds: string[],
  after: string,
  removedMax: number,
): Promise<{ removed: number; after: string | null }> {
  const { rows } = await sql<{ removed: number; after: string | null }>`
    with looked as materialized (
      select id, team_id from jobs where id > ${after} order by id limit ${lookedMax}
    ), own as materialized (
      select id from looked where team_id = any(${teamIds}::uuid[]) order by id limit ${removedMax}
    ), gone as (
      delete from jobs where id = any(array(select id from own))
    )
    select count(*)::int as removed,
      (case when count(*) = ${removedMax} then max(id) else (select max(id) from looked) end)::text as after
    from own
  `.execute(tx.db)
  return rows[0]!
}
