import { type RawBuilder, sql } from 'kysely'
import type { App, SentAtOnce, Tx } from '../../../context.ts'
import { publish } from '../../../platform/events.ts'
import { LeaseLost, type TeamJob } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs, lockHeldJobs, renewAttempts, returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { inParts } from '../../../platform/sql/in-parts.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { whileDatabaseIsGone } from '../../../platform/transaction/while-database-is-gone.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { noteStoredBytes } from '../../../teams/bounds/stored-bytes.ts'
import { runExecutionJob, unparkExecutionJob } from '../../jobs.ts'
import type { ExecutionStatus } from '../../table.ts'
import { countEndedExecutions } from '../count-executions.ts'
import type { JobNext } from './step/advance.ts'
import { sizeOf } from './step/recordable.ts'
import type { NodeWrite } from './step/state.ts'

/** The changes of one or more steps of an execution. */
export type StepRecord = {
  job: TeamJob
  /** One for each node that changed. */
  nodes: NodeWrite[]
  /** The new status of the execution; null if it stays. */
  status: ExecutionStatus | null
  /** The error of the execution, not of a node. */
  error: string | null
  next: JobNext
}

/**
 * Records a step in a commit that it shares with the steps of other executions. Throws `LeaseLost` if the lease of the
 * job is not held any more: a process that takes an execution over, ends or cancels it changes the job's row first.
 */
export const recordStep: (app: App, step: StepRecord) => Promise<void> = gatheredFor(
  async (app, steps) => {
    // The nodes have had their effects, which must not be repeated because the database is unavailable for a moment.
    const held = await whileDatabaseIsGone(() => app.transaction((tx) => recordAll(tx, steps)))
    return steps.map(({ job }) => (held.has(job) ? undefined : new LeaseLost()))
  },
  { itemsMax: 500, flushesMax: 3 },
)

async function recordAll(tx: Tx, steps: StepRecord[]): Promise<Set<TeamJob>> {
  const held = await settleJobs(tx, steps)
  const mine = steps.filter(({ job }) => held.has(job))
  const nodes = mine.flatMap(({ job, nodes }) => nodes.map((node) => ({ ...node, job })))
  for (const part of inParts(nodes, dataLengthOf, { sizeMax: partMax })) tx.withCommit(writeNodes(tx, part))
  const changed = mine.filter(({ status }) => status !== null)
  tx.withCommit(writeExecutions(tx, changed))
  const teamIds = new Set(mine.map(({ job }) => job.teamId))
  const news = [...teamIds].map((teamId) => ({ type: 'execution.updated' as const, teamId, data: {} }))
  await publish(tx, news)
  const statuses = changed.map(({ job, status }) => ({ teamId: job.teamId, status }))
  countEndedExecutions(tx, statuses)
  return held
}

/** Returns the jobs whose lease was still held. */
async function settleJobs(tx: Tx, steps: StepRecord[]): Promise<Set<TeamJob>> {
  const kept = steps.filter(({ next }) => next === 'kept')
  const ended = steps.flatMap(({ job, next }) => (next === 'ended' ? job : []))
  const returned = steps.flatMap(({ job, next }) => {
    if (typeof next !== 'object') return []
    const kind = next.isParked ? unparkExecutionJob : runExecutionJob
    return { lease: job, runAt: next.runAt, kind, isFresh: true as const }
  })
  // A delay may be shorter than the interval at which the runner looks for jobs.
  if (returned.length > 0) tx.afterCommit(() => tx.jobs.wake())
  const held = await allEnded([keepJobs(tx, kept), deleteHeldJobs(tx, ended), returnHeldJobs(tx, returned)])
  return new Set(held.flatMap((jobs) => [...jobs]))
}

/**
 * Keeps leases. Resets the attempts of a job once a node is complete, so that an execution with progress is not given
 * up.
 */
async function keepJobs(tx: Tx, steps: StepRecord[]): Promise<Set<TeamJob>> {
  const jobs = steps.map(({ job }) => job)
  const held = await lockHeldJobs(tx, jobs)
  const renewed = steps.flatMap(({ job, nodes }) => {
    return job.attempts > 1 && held.has(job) && nodes.some(({ completedAt }) => completedAt) ? job : []
  })
  if (renewed.length > 0) {
    await renewAttempts(tx, renewed)
    tx.afterCommit(() => {
      for (const job of renewed) Object.assign(job, { attempts: 1, failures: 0, takeUps: 0 })
    })
  }
  return held
}

type Row = NodeWrite & { job: TeamJob }

/** The data of one statement, in UTF-16 units; one node may have half a million. */
const partMax = 4 * 1024 * 1024

function dataLengthOf({ input, output }: Row): number {
  return (input?.length ?? 0) + (output?.length ?? 0)
}

async function writeNodes(tx: Tx, nodes: Row[]): SentAtOnce {
  const rows = nodes.map((node) => ({ ...node, teamId: node.job.teamId, executionId: node.job.key }))
  await tx.send(sql`
    with noted as (${noteStoredBytes(changesOf(nodes))})
    insert into workflow_execution_nodes as node (team_id, execution_id, node_id, id, node_type, status, attempts,
      interruptions, run_at, branch, input_data, output_data, error, started_at, completed_at)
    select team_id, execution_id, node_id, id, node_type, status, attempts, interruptions, run_at, branch, input, output,
      error, started_at, completed_at
    from ${rowsOf(rows, nodeColumns).as('new')}
    on conflict (team_id, execution_id, node_id) do update set status = excluded.status, attempts = excluded.attempts,
      interruptions = excluded.interruptions, run_at = excluded.run_at, branch = excluded.branch,
      input_data = coalesce(excluded.input_data, node.input_data), output_data = excluded.output_data,
      error = excluded.error, completed_at = excluded.completed_at
  `)
}

const nodeColumns = {
  teamId: 'uuid',
  executionId: 'uuid',
  nodeId: 'text',
  id: 'uuid',
  nodeType: 'text',
  status: 'text',
  attempts: 'int',
  interruptions: 'int',
  runAt: 'timestamptz',
  branch: 'text',
  input: 'json',
  output: 'json',
  error: 'text',
  startedAt: 'timestamptz',
  completedAt: 'timestamptz',
} as const

/**
 * Computes by how many bytes the rows grow. As part of the statement that writes them, it sees the old rows. An input
 * that is not written again is not read. Each row is looked up by its key, since a join may be planned as a scan while
 * the table is small. The rows come as JSON: plans for short arrays look so much cheaper that PostgreSQL would plan the
 * statement each time.
 */
function changesOf(nodes: Row[]): RawBuilder<unknown> {
  const lengthOf = (text: string | null) => (text === null ? 0 : sizeOf(text))
  const rows = nodes.map(({ job, nodeId, input, output, error }) => ({
    team_id: job.teamId,
    execution_id: job.key,
    node_id: nodeId,
    has_input: input !== null,
    length: lengthOf(input) + lengthOf(output) + lengthOf(error),
  }))
  return sql`
    select new.team_id, new.length + execution_node_bytes(null, null, null) - coalesce((
      select execution_node_bytes(case when new.has_input then earlier.input_data end, earlier.output_data, earlier.error)
      from workflow_execution_nodes as earlier
      where earlier.team_id = new.team_id and earlier.execution_id = new.execution_id and earlier.node_id = new.node_id
    ), 0) as bytes
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as new (team_id uuid, execution_id uuid, node_id text, has_input bool, length int)
  `
}

async function writeExecutions(tx: Tx, steps: StepRecord[]): SentAtOnce {
  if (steps.length === 0) return
  const rows = steps.map(({ job, status, error, next }) => {
    return { teamId: job.teamId, id: job.key, status, error, isOver: next === 'ended' }
  })
  await tx.send(sql`
    update workflow_executions as execution set status = new.status, error = new.error,
      completed_at = case when new.is_over then ${tx.now}::timestamptz end
    from ${rowsOf(rows, { teamId: 'uuid', id: 'uuid', status: 'text', error: 'text', isOver: 'bool' }).as('new')}
    where execution.team_id = new.team_id and execution.id = new.id and execution.status in ('running', 'waiting')
  `)
}
