import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { App, Caller, Db } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { uuidOfHex } from '../../platform/ids.ts'
import { isLiveToTestKey } from '../../platform/mode/caller.ts'
import { type Mode, modeIn, teamsReadBy } from '../../platform/mode/mode.ts'
import type { GraphNode } from '../graph/graph.ts'
import { hidesSecrets } from '../hide-secrets.ts'
import { nodeTypeOf } from '../nodes/registry.ts'
import { marked } from './marked.ts'
import { executionColumns } from './queries.ts'
import type { ExecutionDetail } from './schema.ts'
import { type Entry, writeDetail } from './write-detail.ts'

/** The bytes of an answer that is sent whole. A larger one is streamed, since 200 nodes may have 100 MiB of data. */
const wholeMax = 1024 * 1024

/** Finds an execution with every node of its graph and the whole error. A large one is streamed. Throws `notFound`. */
export async function getExecution(app: App, caller: Caller, workflowId: string, id: string) {
  const { teamId } = caller
  const { nodes, triggerData, workflowMode, ...found } = await findDetail(app.db, teamId, workflowId, id)
  const execution = marked(caller, found)
  const begun = new Map((await findNodes(app.db, teamId, id)).map((node) => [node.nodeId, node]))
  const entries = nodes.map((node) => entryOf(execution, node, begun.get(node.id)))
  const hide = hidesSecrets(caller) || isLiveToTestKey(caller, { mode: workflowMode })
  const pieces = writeDetail(app.db, teamId, execution, { triggerData, entries, hide })
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, triggerData.length)
  return sizeBytes > wholeMax ? Readable.from(pieces, { highWaterMark: 1 }) : (await Array.fromAsync(pieces)).join('')
}

/** `triggerData`: as JSON. */
type Detail = Omit<ExecutionDetail, 'nodes' | 'triggerData'> & {
  nodes: GraphNode[]
  triggerData: string
  workflowMode: Mode
}
type Row = Omit<Entry, 'id' | 'nodeType' | 'isTrigger'>

/** The entry of a node, also of one that has not begun. Its `id` never changes and is unique to the execution. */
function entryOf(
  { id: executionId, startedAt }: Pick<Detail, 'id' | 'startedAt'>,
  { id: nodeId, type: nodeType }: GraphNode,
  row: Row | undefined,
): Entry {
  const isTrigger = nodeTypeOf(nodeType)?.kind === 'trigger'
  const common = { id: entryId(executionId, nodeId), nodeType, isTrigger }
  if (row) return { ...row, ...common }
  const blank = { ...common, nodeId, error: null, sizeBytes: 0 }
  if (isTrigger) return { ...blank, status: 'completed', startedAt, completedAt: startedAt }
  return { ...blank, status: 'pending', startedAt: null, completedAt: null }
}

/** A UUID of version 8 (RFC 9562), derived from the execution and the node. */
function entryId(executionId: string, nodeId: string): string {
  const hex = createHash('sha256').update(`${executionId} ${nodeId}`).digest('hex')
  return uuidOfHex(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}

async function findDetail(db: Db, teamId: string, workflowId: string, id: string): Promise<Detail> {
  const { rows } = await sql<Detail>`
    select ${executionColumns}, execution.error, execution.trigger_data::text as "triggerData", graph.nodes,
      ${modeIn(sql`workflow.team_id`)} as "workflowMode"
    from workflow_executions as execution
    join workflows as workflow on workflow.team_id = any(${teamsReadBy(teamId)}::uuid[]) and workflow.id = execution.workflow_id
    join workflow_graphs as graph on graph.team_id = workflow.team_id and graph.id = execution.graph_id
    where execution.team_id = ${teamId} and execution.workflow_id = ${workflowId} and execution.id = ${id}
  `.execute(db)
  if (!rows[0]) throw notFound('execution')
  return rows[0]
}

async function findNodes(db: Db, teamId: string, executionId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select node_id as "nodeId", status, error, started_at as "startedAt", completed_at as "completedAt",
      coalesce(octet_length(input_data::text), 0) + coalesce(octet_length(output_data::text), 0) as "sizeBytes"
    from workflow_execution_nodes where team_id = ${teamId} and execution_id = ${executionId}
  `.execute(db)
  return rows
}
