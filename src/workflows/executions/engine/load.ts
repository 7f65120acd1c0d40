import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import type { TeamJob } from '../../../platform/jobs/job.ts'
import type { Memory } from '../../context/memory.ts'
import type { ExecutionStatus, NodeStatus, Taken } from '../../table.ts'
import type { NodeState } from './decide.ts'

/** Of an execution under way. */
export type Header = {
  id: string
  workflowId: string
  graphId: string
  status: ExecutionStatus
  /** What it has to remember, as JSON. */
  sizeBytes: number
  /** Of one that has just begun, and is small: known already. */
  contents: Contents | null
}

/** A node that has begun, or was decided against. */
export type RunState = NodeState & {
  id: string
  attempts: number
  interruptions: number
  runAt: Date | null
  startedAt: Date | null
  /** Of a delay: what it gives, as JSON, when its time has come. */
  output: string | null
  error: string | null
  /** What it was run with, as JSON, where that is not recorded yet. */
  input: string | null
}

export type Contents = {
  states: Map<string, RunState>
  memory: Memory
  /** The error of the node that failed first. */
  failure: string | null
}

const together = { itemsMax: 500, flushesMax: 2 }
/** So much is read before it is known whether there is room for it. */
const smallBytes = 32 * 1024

/** As JSON. */
type Data = { id: string; triggerData: string; vars: string }

/** Asked for many in one statement; undefined where an execution is finished, or gone. */
export const findHeader: (app: App, job: TeamJob) => Promise<Header | undefined> = gatheredFor(async (app, jobs) => {
  const { rows } = await sql<Header & Data & { isNew: boolean }>`
    select execution.id, workflow_id as "workflowId", graph_id as "graphId", status, size.bytes as "sizeBytes",
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

type NodeRow = RunState & { executionId: string; nodeId: string; status: NodeStatus; branch: Taken }

export const findContents: (app: App, job: TeamJob) => Promise<Contents> = gatheredFor(async (app, jobs) => {
  const data = await sql<Data>`
    select execution.id, trigger_data::text as "triggerData", vars::text as vars from ${wanted(jobs)}
    join workflow_executions as execution on execution.team_id = wanted.team_id and execution.id = wanted.id
  `.execute(app.db)
  const nodes = await sql<NodeRow>`
    select execution_id as "executionId", node_id as "nodeId", node.id, status, branch, attempts, interruptions,
      run_at as "runAt", started_at as "startedAt", output_data::text as output, error, null as input
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

function wanted(jobs: TeamJob[]) {
  const teams = jobs.map(({ teamId }) => teamId)
  return sql`unnest(${teams}::uuid[], ${jobs.map(({ key }) => key)}::uuid[]) as wanted (team_id, id)`
}

function contentsOf(data: Data, rows: NodeRow[]): Contents {
  const texts = new Map([
    ['trigger', data.triggerData],
    ['vars', data.vars],
  ])
  const states = new Map<string, RunState>()
  let failure: string | null = null
  for (const { executionId: _, nodeId, ...state } of rows) {
    states.set(nodeId, state)
    if (state.status === 'failed') failure ??= failureOf(nodeId, state.error)
    if (state.status !== 'completed') continue
    texts.set(`node_${nodeId}`, state.output ?? 'null')
    state.output = null
  }
  return { states, memory: { executionId: data.id, texts, triggers: new Set() }, failure }
}

/** The error of an execution. */
export function failureOf(nodeId: string, error: string | null): string {
  return `Node ${nodeId} failed: ${error}`
}
