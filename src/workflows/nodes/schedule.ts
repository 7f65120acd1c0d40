import Type from 'typebox'
import { Strict } from '../../platform/http/schema/schema.ts'
import { scheduleFaults } from '../triggers/schedule/due.ts'
import { startSchedule, stopSchedule } from '../triggers/schedule/start.ts'
import { trigger } from './node.ts'

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
