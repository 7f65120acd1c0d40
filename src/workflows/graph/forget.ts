import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { teamsNaming, teamsReadBy } from '../../platform/mode/mode.ts'

/**
 * Deletes the graphs of a workflow that were replaced and that no execution names any more. Keeps the one that was
 * replaced just now, since an execution of it may be starting.
 */
export async function deleteFormerGraphs(
  tx: Tx,
  teamId: string,
  workflowId: string,
  replacedId: string,
): Promise<void> {
  await sql`
    delete from workflow_graphs as graph
    where team_id = ${teamId} and workflow_id = ${workflowId} and id <> ${replacedId} and ${isForgotten(teamId)}
  `.execute(tx.db)
}

/** Deletes those of these graphs that no workflow has and no execution names any more. */
export async function deleteUnnamedGraphs(tx: Tx, teamId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  for (const ownerId of teamsReadBy(teamId)) {
    await sql`
      delete from workflow_graphs as graph
      where team_id = ${ownerId} and id = any(${ids}::uuid[]) and ${isForgotten(ownerId)}
    `.execute(tx.db)
  }
}

/** Executions of test mode may have the graph of a live workflow. */
function isForgotten(ownerId: string) {
  return sql`
    not exists (select from workflows where team_id = graph.team_id and id = graph.workflow_id and graph_id = graph.id)
    and not exists (
      select from workflow_executions where team_id = any(${teamsNaming(ownerId)}::uuid[]) and graph_id = graph.id
    )`
}
