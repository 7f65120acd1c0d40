import { type RawBuilder, sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { noteStoredBytes } from '../../../emails/quota/note-stored-bytes.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { type JobKind, LeaseLost, type TeamJob } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs, lockHeldJobs, renewAttempts, returnHeldJobs } from '../../../platform/jobs/leases.ts'
import { whileDatabaseIsGone } from '../../../platform/while-database-is-gone.ts'
import type { ExecutionStatus } from '../../table.ts'
import { countEndedExecutions } from '../count-executions.ts'
import type { RunState } from './load.ts'
import { sizeOf } from './recordable.ts'

/** A node as it is from now on. */
export type NodeWrite = RunState & { nodeId: string; nodeType: string; completedAt: Date | null }

export type Step = {
  job: TeamJob
  nodes: NodeWrite[]
  /** Where it changes. */
  status: ExecutionStatus | null
  /** Of the execution. */
  error: string | null
  /** The job is held on to, removed with the end of the execution, or given back. */
  lease: 'kept' | 'ended' | { runAt: Date; kind: JobKind }
}

/**
 * One step of an execution, in a commit shared with those of others. Only who holds the job's lease may write: whoever takes
 * an execution over, ends or cancels it changes the job's row first. Throws `LeaseLost`.
 */
export const recordStep: (app: App, step: Step) => Promise<void> = gatheredFor(
  async (app, steps) => {
    // Effects have been had: they are not to be had again because the database was gone for a moment.
    const held = await whileDatabaseIsGone(() => app.transaction((tx) => recordAll(tx, steps)))
    return steps.map(({ job }) => (held.has(job) ? undefined : new LeaseLost()))
  },
  { itemsMax: 500, flushesMax: 3 },
)

async function recordAll(tx: Tx, steps: Step[]): Promise<Set<TeamJob>> {
  const held = await settleJobs(tx, steps)
  const mine = steps.filter(({ job }) => held.has(job))
  const nodes = mine.flatMap(({ job, nodes }) => nodes.map((node) => ({ ...node, job })))
  for (const page of pagesOf(nodes)) await writeNodes(tx, page)
  await writeExecutions(
    tx,
    mine.filter(({ status }) => status !== null),
  )
  countEndedExecutions(
    tx,
    mine.map(({ status }) => status),
  )
  return held
}

/** Gives those that were still held. */
async function settleJobs(tx: Tx, steps: Step[]): Promise<Set<TeamJob>> {
  const kept = steps.filter(({ lease }) => lease === 'kept')
  const ending = steps.flatMap(({ job, lease }) => (lease === 'ended' ? job : []))
  const returned = steps.flatMap(({ job, lease }) =>
    typeof lease === 'object' ? { lease: job, ...lease, isFresh: true as const } : [],
  )
  let held = new Set<TeamJob>()
  if (kept.length > 0) held = await keepJobs(tx, kept)
  if (ending.length > 0) held = held.union(await deleteHeldJobs(tx, ending))
  if (returned.length > 0) {
    held = held.union(await returnHeldJobs(tx, returned))
    // A delay may be shorter than the runner's sweep.
    tx.afterCommit(() => tx.jobs.wake())
  }
  return held
}

/** An execution that gets on is not given up for how often it has been taken up. */
async function keepJobs(tx: Tx, steps: Step[]): Promise<Set<TeamJob>> {
  const held = await lockHeldJobs(
    tx,
    steps.map(({ job }) => job),
  )
  const renewed = steps.flatMap(({ job, nodes }) => {
    return job.attempts > 1 && held.has(job) && nodes.some(({ completedAt }) => completedAt) ? job : []
  })
  if (renewed.length > 0) {
    await renewAttempts(tx, renewed)
    tx.afterCommit(() => {
      for (const job of renewed) job.attempts = 1
    })
  }
  return held
}

type Row = NodeWrite & { job: TeamJob }

/** UTF-16 units of data in one statement; a node may have half a million. */
const pageMax = 4 * 1024 * 1024

function pagesOf(nodes: Row[]): Row[][] {
  const pages: Row[][] = []
  let size = pageMax
  for (const node of nodes) {
    size += (node.input?.length ?? 0) + (node.output?.length ?? 0)
    if (size >= pageMax) {
      pages.push([])
      size = 0
    }
    pages.at(-1)!.push(node)
  }
  return pages
}

async function writeNodes(tx: Tx, nodes: Row[]): Promise<void> {
  await sql`
    with noted as (${noteStoredBytes(changesOf(nodes))})
    insert into workflow_execution_nodes as node (team_id, execution_id, node_id, id, node_type, status, attempts,
      interruptions, run_at, branch, input_data, output_data, error, started_at, completed_at)
    select * from unnest(${nodes.map(({ job }) => job.teamId)}::uuid[], ${nodes.map(({ job }) => job.key)}::uuid[],
      ${nodes.map(({ nodeId }) => nodeId)}::text[], ${nodes.map(({ id }) => id)}::uuid[],
      ${nodes.map(({ nodeType }) => nodeType)}::text[], ${nodes.map(({ status }) => status)}::text[],
      ${nodes.map(({ attempts }) => attempts)}::int[], ${nodes.map(({ interruptions }) => interruptions)}::int[],
      ${nodes.map(({ runAt }) => runAt)}::timestamptz[], ${nodes.map(({ branch }) => branch)}::text[],
      ${nodes.map(({ input }) => input)}::json[], ${nodes.map(({ output }) => output)}::json[],
      ${nodes.map(({ error }) => error)}::text[], ${nodes.map(({ startedAt }) => startedAt)}::timestamptz[],
      ${nodes.map(({ completedAt }) => completedAt)}::timestamptz[])
    on conflict (team_id, execution_id, node_id) do update set status = excluded.status, attempts = excluded.attempts,
      interruptions = excluded.interruptions, run_at = excluded.run_at, branch = excluded.branch,
      input_data = coalesce(excluded.input_data, node.input_data), output_data = excluded.output_data,
      error = excluded.error, completed_at = excluded.completed_at
  `.execute(tx.db)
}

/**
 * By how much the rows grow; the rows as they were are seen, since it is the same statement. An input that is not written
 * again stays and is not read. Each row is looked up by its key: a join may be planned as a scan while the table is small.
 * JSON instead of arrays: plans for short arrays look so much cheaper that PostgreSQL would plan the statement each time.
 */
function changesOf(nodes: Row[]): RawBuilder<unknown> {
  const lengthOf = (text: string | null) => (text === null ? 0 : sizeOf(text))
  const rows = nodes.map(({ job, nodeId, input, output, error }) => ({
    ...{ team_id: job.teamId, execution_id: job.key, node_id: nodeId, has_input: input !== null },
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

async function writeExecutions(tx: Tx, steps: Step[]): Promise<void> {
  if (steps.length === 0) return
  await sql`
    update workflow_executions as execution set status = new.status, error = new.error,
      completed_at = case when new.is_over then ${tx.now}::timestamptz end
    from unnest(${steps.map(({ job }) => job.teamId)}::uuid[], ${steps.map(({ job }) => job.key)}::uuid[],
      ${steps.map(({ status }) => status)}::text[], ${steps.map(({ error }) => error)}::text[],
      ${steps.map(({ lease }) => lease === 'ended')}::bool[]) as new (team_id, id, status, error, is_over)
    where execution.team_id = new.team_id and execution.id = new.id and execution.status in ('running', 'waiting')
  `.execute(tx.db)
}
