import type { App } from '../../context.ts'
import { enqueueJobs } from './enqueue.ts'
import type { JobDefinition, Schedule } from './job.ts'

/** Schedules as jobs: one row each, that moves on when it has run. A due time missed while nothing ran comes once, late. */
export function scheduleJobs(schedules: Schedule[]): JobDefinition[] {
  return schedules.map(({ kind, everyMs, run }) => ({
    kind,
    concurrency: 1,
    retryDelaysMs: [everyMs],
    async run(app) {
      await run(app)
      return { runAt: new Date(app.clock.now().getTime() + everyMs) }
    },
  }))
}

/** Adds the rows that are not there yet. */
export async function ensureSchedules(app: App, schedules: Schedule[]): Promise<void> {
  await app.transaction((tx) =>
    enqueueJobs(
      tx,
      schedules.map(({ kind }) => ({ kind, key: 'schedule' })),
    ),
  )
}
