import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import type { Graph } from './graph.ts'
import { sealSecrets } from './secrets.ts'

/** The graphs of all workflows of a team, since one answer lists them all. */
const teamGraphsMaxBytes = 16 * 1024 * 1024

/** Inserts a graph, which executions get once the workflow names it. Returns its id. */
export async function insertGraph(tx: Tx, teamId: string, workflowId: string, graph: Graph): Promise<string> {
  const id = tx.newId()
  const { nodes, secrets } = sealSecrets(tx.keyring, id, graph.nodes)
  await tx.db
    .insertInto('workflow_graphs')
    .values({
      team_id: teamId,
      id,
      workflow_id: workflowId,
      created_at: tx.now,
      nodes: JSON.stringify(nodes),
      connections: JSON.stringify(graph.connections),
      secrets,
    })
    .execute()
  return id
}

/**
 * Called after the graph is inserted. Requests at the same moment may exceed the limit by a few, which does no harm.
 */
export async function refuseTooLarge(tx: Tx, teamId: string): Promise<void> {
  const { rows } = await sql<{ sizeBytes: number }>`
    select coalesce(sum(graph.size_bytes + coalesce(octet_length(graph.secrets), 0)), 0)::float as "sizeBytes" from workflows as workflow
    join workflow_graphs as graph on graph.team_id = workflow.team_id and graph.id = workflow.graph_id
    where workflow.team_id = ${teamId}
  `.execute(tx.db)
  if (rows[0]!.sizeBytes <= teamGraphsMaxBytes) return
  throw conflict('The nodes of all workflows of a team take 16 MiB at most. Make some smaller, or delete some.')
}

/** Deletes a graph that was replaced and that no execution can have. */
export async function deleteGraph(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.db.deleteFrom('workflow_graphs').where('team_id', '=', teamId).where('id', '=', id).execute()
}
