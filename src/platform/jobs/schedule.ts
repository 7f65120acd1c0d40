import type { App } from '../../context.ts'
import { enqueueJob } from './enqueue.ts'
import { type JobDefinition, type Schedule, systemJob } from './job.ts'

/** Turns schedules into jobs, each with one row that moves on after a run. Due times missed while no worker ran give one late run. */
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

/** Adds the rows of schedules that have none yet. */
export async function ensureSchedules(app: App, schedules: Schedule[]): Promise<void> {
  await app.transaction(async (tx) => {
    for (const { kind } of schedules) await enqueueJob(tx, systemJob(kind), { key: 'schedule' })
  })
}
