import Type from 'typebox'
import type { Tx } from '../../context.ts'
import { Strict } from '../../platform/http/schema/schema.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import { fireScheduleJob } from '../jobs.ts'
import { nextDue, type ScheduleConfig, scheduleFaults } from '../triggers/schedule/due.ts'
import { refuseTooManyFires } from '../triggers/schedule/refuse-too-many.ts'
import { trigger, type WorkflowId } from './node.ts'

export const scheduleNode = trigger({
  type: 'schedule',
  title: 'Schedule',
  description: 'Fires repeatedly, at the times of a cron expression.',
  config: Strict({
    cron: Type.String({
      maxLength: 200,
      title: 'Cron',
      description: 'Minute, hour, day of the month, month and day of the week; six fields begin with the second.',
      examples: ['0 9 * * MON-FRI'],
    }),
    timezone: Type.Optional(
      Type.String({
        maxLength: 100,
        default: 'UTC',
        title: 'Time zone',
        description: 'The IANA name of the time zone.',
        examples: ['Europe/Berlin'],
      }),
    ),
  }),
  output: Type.Object({ scheduledAt: Type.String({ format: 'date-time' }) }),
  faults: scheduleFaults,
  activate: startSchedule,
  deactivate: stopSchedule,
})

/** Adds the job that waits for the first due time. Throws `unprocessable` past the plan's rate of schedules. */
async function startSchedule(tx: Tx, { teamId, workflowId }: WorkflowId, config: ScheduleConfig): Promise<void> {
  await refuseTooManyFires(tx, teamId, config)
  const due = nextDue(config, tx.now)
  if (due)
    await enqueueJob(tx, fireScheduleJob, { key: workflowId, teamId, runAt: due, payload: { due: due.toISOString() } })
}

/** Removes the job. A process that is firing the schedule loses its lease. */
function stopSchedule(tx: Tx, { workflowId }: WorkflowId): Promise<void> {
  return deleteJob(tx, fireScheduleJob, workflowId)
}
