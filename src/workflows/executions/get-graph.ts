import { sql } from 'kysely'
import type { App, Caller } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { type Mode, modeIn, teamsReadBy } from '../../platform/mode/mode.ts'
import type { Graph } from '../graph/graph.ts'
import { openSecrets, type StoredNodes } from '../graph/secrets.ts'
import { graphShownTo } from '../hide-secrets.ts'

/** Returns the graph that an execution began with, as the caller may see it. Throws `notFound`. */
export async function getExecutionGraph(app: App, caller: Caller, workflowId: string, id: string): Promise<Graph> {
  const { teamId } = caller
  const { rows } = await sql<StoredNodes & Pick<Graph, 'connections'> & { mode: Mode }>`
    select graph.id, graph.nodes, graph.secrets, graph.connections, ${modeIn(sql`workflow.team_id`)} as mode
    from workflow_executions as execution
    join workflows as workflow on workflow.team_id = any(${teamsReadBy(teamId)}::uuid[]) and workflow.id = execution.workflow_id
    join workflow_graphs as graph on graph.team_id = workflow.team_id and graph.id = execution.graph_id
    where execution.team_id = ${teamId} and execution.workflow_id = ${workflowId} and execution.id = ${id}
  `.execute(app.db)
  if (!rows[0]) throw notFound('execution')
  const { connections, mode } = rows[0]
  return graphShownTo(caller, { nodes: openSecrets(app.keyring, rows[0]), connections, mode })
}
