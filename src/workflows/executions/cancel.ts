import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import { deleteJobs } from '../../platform/jobs/waiting-jobs.ts'
import { runExecutionJob, unparkExecutionJob } from '../jobs.ts'
import { countEndedExecutions } from './count-executions.ts'
import { closeNodes } from './engine/close-nodes.ts'
import { abandon } from './engine/running.ts'
import { findExecution } from './queries.ts'
import type { Execution } from './schema.ts'

/** Ends an execution that is running or waiting. Throws `notFound`, and `conflict` if it has ended already. */
export function cancelExecution(app: App, teamId: string, workflowId: string, id: string): Promise<Execution> {
  return app.transaction(async (tx) => {
    await findExecution(tx.db, teamId, workflowId, id)
    const cancelled = await cancelExecutions(tx, teamId, [id])
    const execution = await findExecution(tx.db, teamId, workflowId, id)
    if (cancelled.length === 0) {
      throw conflict(`The execution is ${execution.status}; only one that is running or waiting can be cancelled.`)
    }
    tx.afterCommit(() => abandon(app, [id]))
    return execution
  })
}

/**
 * Returns the ids of those that were running or waiting. Their jobs are deleted first: a process that records a step
 * holds the job's row, and has lost its lease once this is committed. `abandon` stops the executions of this process at
 * once.
 */
async function cancelExecutions(tx: Tx, teamId: string, ids: string[]): Promise<string[]> {
  await deleteJobs(tx, [runExecutionJob, unparkExecutionJob], ids)
  const { rows } = await sql<{ id: string }>`
    update workflow_executions set status = 'cancelled', completed_at = ${tx.now}
    where team_id = ${teamId} and id = any(${ids}::uuid[]) and status in ('running', 'waiting')
    returning id
  `.execute(tx.db)
  const cancelled = rows.map(({ id }) => id)
  countEndedExecutions(
    tx,
    cancelled.map(() => ({ teamId, status: 'cancelled' })),
  )
  await closeNodes(tx, teamId, cancelled)
  return cancelled
}
