import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../../context.ts'
import type { TeamJob } from '../../../platform/jobs/job.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import type { ExecutionStatus, NodeStatus, Taken } from '../../table.ts'
import { executionError } from './step/settle.ts'
import type { NodeEntry } from './step/state.ts'

/** An execution that is running or waiting. */
export type Header = {
  id: string
  workflowId: string
  graphId: string
  status: ExecutionStatus
  /** The execution's number in a chain of executions that caused each other, from 1. */
  depth: number
  /** The size of its context, in bytes of JSON. */
  sizeBytes: number
  /** Set for a small execution without a node that has begun. `findContents` loads those of the others. */
  contents: Contents | null
}

type Contents = {
  nodes: Map<string, NodeEntry>
  /** The values of the context as JSON, by name. */
  texts: Map<string, string>
  /** The error of the node that failed first. */
  failure: string | null
}

const together = { itemsMax: 500, flushesMax: 2 }
/** An execution of up to this size is read before the memory budget admits it. */
const smallBytes = 32 * 1024

/** `triggerData`, `vars`: as JSON. */
type Data = { id: string; triggerData: string; vars: string }

/** Finds an execution, in one statement with others. Undefined if it is finished or deleted. */
export const findHeader: (app: App, job: TeamJob) => Promise<Header | undefined> = gatheredFor(async (app, jobs) => {
  const { rows } = await sql<Header & Data & { isNew: boolean }>`
    select execution.id, workflow_id as "workflowId", graph_id as "graphId", status, depth, size.bytes as "sizeBytes",
      size.is_new as "isNew", case when size.is_new then trigger_data::text end as "triggerData",
      case when size.is_new then vars::text end as vars
    from ${wanted(jobs)}
    join workflow_executions as execution on execution.team_id = wanted.team_id and execution.id = wanted.id
    cross join lateral (
      select octet_length(trigger_data::text) + octet_length(vars::text) as bytes
    ) as own
    cross join lateral (
      select (own.bytes + coalesce(sum(octet_length(output_data::text)), 0))::int as bytes,
        count(*) = 0 and own.bytes <= ${smallBytes} as is_new
      from workflow_execution_nodes as node
      where node.team_id = execution.team_id and node.execution_id = execution.id
    ) as size
    where status in ('running', 'waiting')
  `.execute(app.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobs.map(({ key }) => {
    const row = byId.get(key)
    return row && { ...row, contents: row.isNew ? contentsOf(row, []) : null }
  })
}, together)

type NodeRow = NodeEntry & { executionId: string; nodeId: string; status: NodeStatus; branch: Taken }

export const findContents: (app: App, job: TeamJob) => Promise<Contents> = gatheredFor(async (app, jobs) => {
  const data = await sql<Data>`
    select execution.id, trigger_data::text as "triggerData", vars::text as vars from ${wanted(jobs)}
    join workflow_executions as execution on execution.team_id = wanted.team_id and execution.id = wanted.id
  `.execute(app.db)
  const nodes = await sql<NodeRow>`
    select execution_id as "executionId", node_id as "nodeId", node.id, status, branch, attempts, interruptions,
      run_at as "runAt", started_at as "startedAt", output_data::text as output, error
    from ${wanted(jobs)}
    join workflow_execution_nodes as node on node.team_id = wanted.team_id and node.execution_id = wanted.id
    order by completed_at
  `.execute(app.db)
  const dataById = new Map(data.rows.map((row) => [row.id, row]))
  const nodesById = Map.groupBy(nodes.rows, ({ executionId }) => executionId)
  return jobs.map(({ key }) => {
    const its = dataById.get(key)
    return its ? contentsOf(its, nodesById.get(key) ?? []) : new Error('The execution was deleted while it was loaded.')
  })
}, together)

function wanted(jobs: TeamJob[]): RawBuilder<unknown> {
  const executions = jobs.map(({ teamId, key }) => ({ teamId, id: key }))
  return rowsOf(executions, { teamId: 'uuid', id: 'uuid' }).as('wanted')
}

function contentsOf(data: Data, rows: NodeRow[]): Contents {
  const texts = new Map([
    ['trigger', data.triggerData],
    ['vars', data.vars],
  ])
  const nodes = new Map<string, NodeEntry>()
  let failure: string | null = null
  for (const { executionId: _, nodeId, ...state } of rows) {
    nodes.set(nodeId, state)
    if (state.status === 'failed') failure ??= executionError(nodeId, state.error)
    if (state.status !== 'completed') continue
    texts.set(`node_${nodeId}`, state.output ?? 'null')
    state.output = null
  }
  return { nodes, texts, failure }
}
