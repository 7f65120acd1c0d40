import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { gatheredFor } from '../../../platform/gather.ts'
import { deleteHeldJobs, lockHeldJobs, returnHeldJobs } from '../../../platform/jobs/claim.ts'
import { type Job, LeaseLost } from '../../../platform/jobs/job.ts'
import type { ExecutionStatus } from '../../table.ts'
import type { RunState } from './load.ts'

/** A node as it is from now on. */
export type NodeWrite = RunState & { nodeId: string; nodeType: string; completedAt: Date | null }

export type Step = {
  job: Job
  nodes: NodeWrite[]
  /** Where it changes. */
  status: ExecutionStatus | null
  /** Of the execution. */
  error: string | null
  /** The job is held on to, removed with the end of the execution, or given back. */
  lease: 'kept' | 'ended' | { runAt: Date; kind: string }
}

/**
 * One step of an execution, in a commit shared with those of others. Only who holds the job's lease may write: whoever takes
 * an execution over, ends or cancels it changes the job's row first. Throws `LeaseLost`.
 */
export const recordStep: (app: App, step: Step) => Promise<void> = gatheredFor(
  async (app, steps) => {
    const held = await app.transaction((tx) => recordAll(tx, steps))
    return steps.map(({ job }) => (held.has(job.id) ? undefined : new LeaseLost()))
  },
  { itemsMax: 500, flushesMax: 3 },
)

async function recordAll(tx: Tx, steps: Step[]): Promise<Set<string>> {
  const held = await settleJobs(tx, steps)
  const mine = steps.filter(({ job }) => held.has(job.id))
  const nodes = mine.flatMap(({ job, nodes }) => nodes.map((node) => ({ ...node, job })))
  for (const page of pagesOf(nodes)) await writeNodes(tx, page)
  await writeExecutions(
    tx,
    mine.filter(({ status }) => status !== null),
  )
  return held
}

async function settleJobs(tx: Tx, steps: Step[]): Promise<Set<string>> {
  const ending: Job[] = []
  const going: Job[] = []
  const returned: Parameters<typeof returnHeldJobs>[1] = []
  for (const { job, lease } of steps) {
    if (lease === 'ended') ending.push(job)
    else if (lease === 'kept') going.push(job)
    else returned.push({ lease: job, ...lease, isFresh: true })
  }
  const held = new Set<string>()
  if (going.length > 0) for (const id of await lockHeldJobs(tx, going)) held.add(id)
  if (ending.length > 0) for (const id of await deleteHeldJobs(tx, ending)) held.add(id)
  if (returned.length > 0) {
    for (const id of await returnHeldJobs(tx, returned)) held.add(id)
    // A delay may be shorter than the runner's sweep.
    tx.afterCommit(() => tx.jobs.wake())
  }
  return held
}

type Row = NodeWrite & { job: Job }

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
