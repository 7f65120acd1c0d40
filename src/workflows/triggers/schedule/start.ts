import type { Tx } from '../../../context.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.ts'
import { deleteJob } from '../../../platform/jobs/waiting-jobs.ts'
import { fireScheduleJob } from '../../jobs.ts'
import type { WorkflowId } from '../../nodes/node.ts'
import { nextDue, type ScheduleConfig } from './due.ts'
import { refuseTooManyFires } from './refuse-too-many.ts'

/** Adds the job that waits for the first due time. Throws `unprocessable` past the plan's rate of schedules. */
export async function startSchedule(tx: Tx, { teamId, workflowId }: WorkflowId, config: ScheduleConfig): Promise<void> {
  await refuseTooManyFires(tx, teamId, config)
  const due = nextDue(config, tx.now)
  if (due)
    await enqueueJob(tx, fireScheduleJob, { key: workflowId, teamId, runAt: due, payload: { due: due.toISOString() } })
}

/** Removes the job. A process that is firing the schedule loses its lease. */
export function stopSchedule(tx: Tx, { workflowId }: WorkflowId): Promise<void> {
  return deleteJob(tx, fireScheduleJob, workflowId)
}
