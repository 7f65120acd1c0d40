import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import type { Graph } from './graph.ts'
import { sealSecrets } from './secrets.ts'

/** The graphs of all workflows of a team, since one answer lists them all. */
const teamGraphsMaxBytes = 16 * 1024 * 1024
/** Those and the former ones that executions still have. */
const keptGraphsMaxBytes = 64 * 1024 * 1024

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
  const { rows } = await sql<{ presentBytes: number; keptBytes: number }>`
    select coalesce(sum(size.bytes), 0)::float as "keptBytes",
      coalesce(sum(size.bytes) filter (where workflow.graph_id = graph.id), 0)::float as "presentBytes"
    from workflow_graphs as graph
    join workflows as workflow on workflow.team_id = graph.team_id and workflow.id = graph.workflow_id
    cross join lateral (select graph.size_bytes + coalesce(octet_length(graph.secrets), 0) as bytes) as size
    where graph.team_id = ${teamId}
  `.execute(tx.db)
  const { presentBytes, keptBytes } = rows[0]!
  if (presentBytes > teamGraphsMaxBytes)
    throw conflict('The nodes of all workflows of a team take 16 MiB at most. Make some smaller, or delete some.')
  if (keptBytes > keptGraphsMaxBytes) throw conflict(keptTooLarge)
}

const keptTooLarge =
  'The nodes of all workflows of a team take 64 MiB at most with the former ones that executions still have. Delete a workflow that was changed often, or wait until its old executions are removed.'

/** Deletes a graph that was replaced and that no execution can have. */
export async function deleteGraph(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.db.deleteFrom('workflow_graphs').where('team_id', '=', teamId).where('id', '=', id).execute()
}
