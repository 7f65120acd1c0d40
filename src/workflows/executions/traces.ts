import type { Tx } from '../../context.ts'
import { deleteJobs } from '../../platform/jobs/waiting-jobs.ts'
import { modeOf } from '../../platform/mode/mode.ts'
import { withoutOthers } from '../../platform/privacy/others.ts'
import { type Found, type Showing, type Trace, traceOf } from '../../platform/privacy/trace.ts'
import { runExecutionJob, unparkExecutionJob } from '../jobs.ts'
import { cancelUnended } from './cancel.ts'
import { deleteExecutions } from './forget.ts'

/** An execution that names the person anywhere is stopped and deleted as a whole. */
async function eraseExecutions(tx: Tx, teamId: string, found: Found[]): Promise<number> {
  const ids = [...new Set(found.map(({ key }) => key[0]!))]
  await deleteJobs(tx, [runExecutionJob, unparkExecutionJob], ids)
  await cancelUnended(tx, teamId, ids)
  await deleteExecutions(tx, teamId, ids)
  return found.length
}

/** Shows which node ran for the person. Its input may hold secrets, and its output is that of another service. */
function showNode(_: Showing, { row }: Found): object {
  const { id, execution_id: executionId, node_id: nodeId, node_type: nodeType, status } = row
  return { id, executionId, nodeId, nodeType, status, startedAt: row.started_at, completedAt: row.completed_at }
}

function showExecution({ teamId, person }: Showing, { row }: Found): object {
  return {
    ...{ id: row.id, workflowId: row.workflow_id, status: row.status, mode: modeOf(teamId) },
    ...{ triggerData: withoutOthers(row.trigger_data, person), vars: withoutOthers(row.vars, person) },
    ...{ startedAt: row.started_at, completedAt: row.completed_at },
  }
}

export const executionTraces: Trace[] = [
  traceOf({
    ...{ name: 'executionNodes', table: 'workflow_execution_nodes', key: ['execution_id', 'id'] },
    searched: { input_data: 'json', output_data: 'json', error: 'text' },
    holdsAnyText: true,
    show: showNode,
    erase: eraseExecutions,
  }),
  traceOf({
    ...{ name: 'executions', table: 'workflow_executions', key: ['id'] },
    searched: { trigger_data: 'json', vars: 'json', error: 'text', idempotency_key: 'text' },
    holdsAnyText: true,
    show: showExecution,
    erase: eraseExecutions,
  }),
]
