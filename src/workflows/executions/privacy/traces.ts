import type { Tx } from '../../../context.ts'
import { deleteJobs } from '../../../platform/jobs/waiting-jobs.ts'
import { type Found, type Trace, traceOf } from '../../../platform/privacy/trace.ts'
import { runExecutionJob, unparkExecutionJob } from '../../jobs.ts'
import { deleteExecutions } from '../forget.ts'

/** An execution that names the person anywhere is stopped and deleted as a whole. */
async function eraseExecutions(tx: Tx, teamId: string, found: Found[]): Promise<number> {
  const ids = [...new Set(found.map(({ key }) => key[0]!))]
  await deleteJobs(tx, [runExecutionJob, unparkExecutionJob], ids)
  await deleteExecutions(tx, teamId, ids)
  return found.length
}

export const executionTraces: Trace[] = [
  traceOf({
    ...{ name: 'executionNodes', table: 'workflow_execution_nodes', key: ['execution_id', 'id'] },
    searched: { input_data: 'json', output_data: 'json', error: 'text' },
    erase: eraseExecutions,
  }),
  traceOf({
    ...{ name: 'executions', table: 'workflow_executions', key: ['id'] },
    searched: { trigger_data: 'json', vars: 'json', error: 'text' },
    erase: eraseExecutions,
  }),
]
