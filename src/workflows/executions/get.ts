import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { uuidOfHex } from '../../platform/ids.ts'
import type { GraphNode } from '../graph/graph.ts'
import { nodeTypeOf } from '../nodes/registry.ts'
import { executionColumns } from './queries.ts'
import type { ExecutionDetail, ExecutionNode } from './schema.ts'

/** With every node of its graph, begun or not, and the whole error. */
export async function getExecution(app: App, teamId: string, workflowId: string, id: string) {
  const execution = await findDetail(app.db, teamId, workflowId, id)
  const begun = new Map((await findNodes(app.db, teamId, id)).map((node) => [node.nodeId, node]))
  const { nodes, ...fields } = execution
  return { ...fields, nodes: nodes.map((node) => entryOf(execution, node, begun.get(node.id))) }
}

type Detail = Omit<ExecutionDetail, 'nodes'> & { nodes: GraphNode[] }
type Row = Omit<ExecutionNode, 'id' | 'nodeType'>

/** `id`: of the entry, the same from the start to the end, and in no other execution. */
function entryOf(execution: Detail, { id: nodeId, type: nodeType }: GraphNode, row: Row | undefined): ExecutionNode {
  const id = entryId(execution.id, nodeId)
  if (row) return { ...row, id, nodeType }
  const blank = { id, nodeId, nodeType, inputData: null, error: null }
  if (nodeTypeOf(nodeType)?.kind === 'trigger') {
    const { startedAt, triggerData } = execution
    return { ...blank, status: 'completed', outputData: triggerData, startedAt, completedAt: startedAt }
  }
  return { ...blank, status: 'pending', outputData: null, startedAt: null, completedAt: null }
}

/** RFC 9562, version 8: made of what it names. */
function entryId(executionId: string, nodeId: string): string {
  const hex = createHash('sha256').update(`${executionId} ${nodeId}`).digest('hex')
  return uuidOfHex(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}

async function findDetail(db: Db, teamId: string, workflowId: string, id: string): Promise<Detail> {
  const { rows } = await sql<Detail>`
    select ${executionColumns}, execution.error, execution.trigger_data as "triggerData", graph.nodes
    from workflow_executions as execution
    join workflows as workflow on workflow.team_id = execution.team_id and workflow.id = execution.workflow_id
    join workflow_graphs as graph on graph.team_id = execution.team_id and graph.id = execution.graph_id
    where execution.team_id = ${teamId} and execution.workflow_id = ${workflowId} and execution.id = ${id}
  `.execute(db)
  if (!rows[0]) throw notFound('execution')
  return rows[0]
}

/** A delay knows its output from the start, and has given it once it is complete. */
async function findNodes(db: Db, teamId: string, executionId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select node_id as "nodeId", status, input_data as "inputData",
      case when status = 'completed' then output_data end as "outputData", error, started_at as "startedAt",
      completed_at as "completedAt"
    from workflow_execution_nodes where team_id = ${teamId} and execution_id = ${executionId}
  `.execute(db)
  return rows
}
