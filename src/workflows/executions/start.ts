import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import type { DomainError } from '../../platform/errors.ts'
import { enqueueJobs } from '../../platform/jobs/enqueue.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { findStorageRefusals, teamsWithRoom } from '../../teams/bounds/refuse-storage.ts'
import { noteStoredBytes } from '../../teams/bounds/stored-bytes.ts'
import { runExecutionJob } from '../jobs.ts'
import type { ExecutionStatus } from '../table.ts'
import { countEndedExecutions, countStartedExecutions, type StartedBy } from './count-executions.ts'

export type NewExecution = {
  teamId: string
  /** The team that has the workflow, which is the live one for a test execution of a live workflow. */
  ownerId: string
  workflowId: string
  graphId: string
  triggerData: unknown
  startedBy: StartedBy
  vars?: Record<string, unknown>
  /**
   * The number in a chain of executions that caused each other, from 1. Past `chainMax` it is recorded as failed and
   * does not run.
   */
  depth: number
  /** A known key starts nothing: its execution is returned. */
  idempotencyKey?: string | null
  rerunOf?: string
}

export type StartedExecution = { id: string; status: ExecutionStatus; nodeCount: number; isNew: boolean }

/** The executions of a chain that run. */
const chainMax = 5

const chainTooLong = `Not run: it is number ${chainMax + 1} in a chain of executions that caused each other, and at most ${chainMax} run. Look for workflows that trigger themselves or each other.`

type Row = NewExecution & { id: string; status: ExecutionStatus }

/**
 * Starts executions in the caller's transaction, with one statement for each table. The result has the order of
 * `executions`: null if the workflow or its graph was deleted meanwhile, a refusal if the team stores as much as its
 * plan allows.
 */
export async function startExecutions(
  tx: Tx,
  executions: NewExecution[],
): Promise<(StartedExecution | DomainError | null)[]> {
  if (executions.length === 0) return []
  const rows = executions.map((execution): Row => {
    return { ...execution, id: tx.newId(), status: execution.depth > chainMax ? 'failed' : 'running' }
  })
  const added = await insertExecutions(tx, rows)
  const fresh = rows.filter(({ id }) => added.has(id))
  countStartedExecutions(tx, fresh)
  countEndedExecutions(tx, fresh)
  const running = fresh.filter(({ status }) => status === 'running')
  const jobs = running.map(({ teamId, id }) => ({ teamId, key: id }))
  tx.withCommit(enqueueJobs(tx, runExecutionJob, jobs))
  const others = rows.filter(({ id }) => !added.has(id))
  const known = await findStarted(tx, others)
  const missing = others.filter((row) => !known.has(keyOf(row)))
  const refusals =
    missing.length > 0 ? await findStorageRefusals(tx.db, teamsOf(missing)) : new Map<string, DomainError>()
  return rows.map((row) => {
    const nodeCount = added.get(row.id)
    if (nodeCount === undefined) return known.get(keyOf(row)) ?? refusals.get(row.teamId) ?? null
    return { id: row.id, status: row.status, nodeCount, isNew: true }
  })
}

function teamsOf(rows: Row[]): string[] {
  return [...new Set(rows.map(({ teamId }) => teamId))]
}

/**
 * Returns the number of nodes of each inserted execution, by id. The workflow's row is locked as a foreign key would
 * lock it: a deletion waits, and then finds the new execution. Sorted by key, so that batches at the same moment cannot
 * deadlock. Inserts nothing for a team that stores as much as its plan allows.
 */
async function insertExecutions(tx: Tx, rows: Row[]): Promise<Map<string, number>> {
  const sorted = rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
  const newRows = sorted.map((row) => ({
    ...row,
    triggerData: JSON.stringify(row.triggerData ?? null),
    vars: JSON.stringify(row.vars ?? {}),
    tooLong: row.status === 'failed',
  }))
  const added = await tx.send(sql<{ id: string; nodeCount: number }>`
    with workflow as materialized (
      select team_id, id from workflows
      where (team_id, id) in (select * from ${rowsOf(sorted, { ownerId: 'uuid', workflowId: 'uuid' }).as('wanted')})
      for key share
    ),
    room as materialized (${teamsWithRoom(teamsOf(rows))}),
    added as (
      insert into workflow_executions (team_id, id, workflow_id, graph_id, status, node_count, trigger_data, vars, depth,
        rerun_of, idempotency_key, error, started_at, completed_at)
      select new.team_id, new.id, new.workflow_id, new.graph_id, new.status, graph.node_count, new.trigger_data, new.vars,
        new.depth, new.rerun_of, new.idempotency_key, case when new.too_long then ${chainTooLong} end, ${tx.now}::timestamptz,
        case when new.too_long then ${tx.now}::timestamptz end
      from ${rowsOf(newRows, newColumns).as('new', 'position')}
      join room on room.team_id = new.team_id
      join workflow on workflow.team_id = new.owner_id and workflow.id = new.workflow_id
      join workflow_graphs as graph on graph.team_id = new.owner_id and graph.id = new.graph_id
        and graph.workflow_id = new.workflow_id
      order by new.position
      on conflict (team_id, workflow_id, idempotency_key) where idempotency_key is not null do nothing
      returning id, team_id, node_count, execution_bytes(trigger_data, vars) as bytes
    ),
    noted as (${noteStoredBytes(sql`select team_id, bytes from added`)})
    select id, node_count as "nodeCount" from added
  `)
  return new Map(added.map(({ id, nodeCount }) => [id, nodeCount]))
}

const newColumns = {
  teamId: 'uuid',
  ownerId: 'uuid',
  id: 'uuid',
  workflowId: 'uuid',
  graphId: 'uuid',
  status: 'text',
  triggerData: 'json',
  vars: 'json',
  depth: 'int',
  rerunOf: 'uuid',
  idempotencyKey: 'text',
  tooLong: 'bool',
} as const

type Keyed = Pick<NewExecution, 'teamId' | 'workflowId' | 'idempotencyKey'>

export function keyOf({ teamId, workflowId, idempotencyKey }: Keyed): string {
  return `${teamId} ${workflowId} ${idempotencyKey ?? ''}`
}

/** Finds the executions that have these keys already, by `keyOf`. */
export async function findStarted(tx: Tx, executions: Keyed[]): Promise<Map<string, StartedExecution>> {
  const keyed = executions.filter(({ idempotencyKey }) => idempotencyKey)
  if (keyed.length === 0) return new Map()
  const { rows } = await sql<Keyed & Omit<StartedExecution, 'isNew'>>`
    select execution.team_id as "teamId", execution.workflow_id as "workflowId", execution.id, execution.status,
      execution.node_count as "nodeCount", execution.idempotency_key as "idempotencyKey"
    from ${rowsOf(keyed, { teamId: 'uuid', workflowId: 'uuid', idempotencyKey: 'text' }).as('wanted')}
    join workflow_executions as execution on execution.team_id = wanted.team_id
      and execution.workflow_id = wanted.workflow_id and execution.idempotency_key = wanted.idempotency_key
  `.execute(tx.db)
  return new Map(
    rows.map((row) => {
      const { id, status, nodeCount } = row
      return [keyOf(row), { id, status, nodeCount, isNew: false }]
    }),
  )
}
