import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { MadeWorkflow } from './make-workflow.ts'

type Status = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

const pollMs = 20

/** Resolves when the workflow has no execution in one of these states. */
export async function untilNone(database: pg.Pool, { id }: MadeWorkflow, statuses: Status[]): Promise<void> {
  for (;;) {
    const { rows } = await database.query({ name: 'bench-some-left', text: someLeft, values: [id, statuses] })
    if (!rows[0].some) return
    await sleep(pollMs)
  }
}

/** Throws unless the workflow has exactly `count` executions, all completed, with all their nodes. */
export async function verifyCompleted(database: pg.Pool, workflow: MadeWorkflow, count: number): Promise<void> {
  const { rows } = await database.query(completedCounts, [workflow.id])
  const { executions, completed, nodes, error } = rows[0]
  if (executions !== count || completed !== count)
    throw new Error(
      `${count} executions were started, ${executions} are there, ${completed} of them completed: ${error}`,
    )
  if (nodes !== count * workflow.steps)
    throw new Error(`${count * workflow.steps} nodes should be completed, ${nodes} are.`)
}

/** Compares team and status first, in the order of the index. */
const someLeft = `
  select exists (
    select 1 from workflow_executions join workflows using (team_id)
    where workflows.id = $1 and workflow_executions.workflow_id = $1 and workflow_executions.status = any($2)
  ) as some
`
const completedCounts = `
  select count(*)::int as executions, (count(*) filter (where status = 'completed'))::int as completed, max(error) as error,
    coalesce(sum((
      select count(*) from workflow_execution_nodes as node
      where node.team_id = execution.team_id and node.execution_id = execution.id and node.status = 'completed'
    )), 0)::int as nodes
  from workflow_executions as execution where workflow_id = $1
`
