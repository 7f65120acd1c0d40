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
    // Its jobs are deleted first: a process that records a step holds the job's row, and has lost its lease once this
    // is committed. `abandon` stops the execution in this process at once.
    await deleteJobs(tx, [runExecutionJob, unparkExecutionJob], [id])
    const isCancelled = (await cancelUnended(tx, teamId, [id])) > 0
    if (isCancelled) await closeNodes(tx, teamId, [id])
    const execution = await findExecution(tx.db, teamId, workflowId, id)
    if (!isCancelled) {
      throw conflict(`The execution is ${execution.status}; only one that is running or waiting can be cancelled.`)
    }
    tx.afterCommit(() => abandon(app, [id]))
    return execution
  })
}

/** Cancels and counts those of these executions that are running or waiting. Returns their number. */
export async function cancelUnended(tx: Tx, teamId: string, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await tx.db
    .updateTable('workflow_executions')
    .set({ status: 'cancelled', completed_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', 'in', ids)
    .where('status', 'in', ['running', 'waiting'])
    .executeTakeFirst()
  const count = Number(numUpdatedRows)
  countEndedExecutions(tx, Array(count).fill({ teamId, status: 'cancelled' }))
  return count
}
