import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { noteStoredBytes } from '../../../teams/bounds/stored-bytes.ts'

const cutShort = 'Broken off while it was under way: it may have taken effect.'

/**
 * Closes the nodes of executions that end early: nodes under way, and those that wait for their next attempt, fail;
 * delays are skipped. `output_data` tells delays apart, as in `phaseOf` (`step/state.ts`).
 */
export async function closeNodes(tx: Tx, teamId: string, executionIds: string[]): Promise<void> {
  await sql`
    with closed as (
      update workflow_execution_nodes set completed_at = ${tx.now}, run_at = null, output_data = null,
        status = case when status = 'waiting' or output_data is not null then 'skipped' else 'failed' end,
        error = case when status = 'running' and output_data is null then ${cutShort} end
      where team_id = ${teamId} and execution_id = any(${executionIds}::uuid[]) and status in ('running', 'waiting')
      returning team_id, execution_id, node_id, execution_node_bytes(null, output_data, error) as bytes
    )
    ${noteStoredBytes(sql`
      select team_id, bytes - (
        select execution_node_bytes(null, output_data, error) from workflow_execution_nodes as earlier
        where earlier.team_id = closed.team_id and earlier.execution_id = closed.execution_id
          and earlier.node_id = closed.node_id
      ) as bytes
      from closed
    `)}
  `.execute(tx.db)
}
