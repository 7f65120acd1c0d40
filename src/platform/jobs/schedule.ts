import { sql } from 'kysely'
import type { App } from '../../context.ts'
import type { JobDefinition, Schedule } from './job.ts'

/**
 * Turns schedules into jobs, each with one row that moves on after a run. Due times missed while no worker ran give one
 * late run.
 */
export function scheduleJobs(schedules: Schedule[]): JobDefinition[] {
  return schedules.map(({ kind, everyMs, run }) => ({
    kind,
    concurrency: 1,
    retryDelaysMs: [everyMs],
    attemptsMax: Number.POSITIVE_INFINITY,
    async run(app) {
      await run(app)
      return { runAt: new Date(app.clock.now().getTime() + everyMs) }
    },
  }))
}

/** Adds the rows of schedules that have none yet. */
export async function ensureSchedules(app: App, schedules: Schedule[]): Promise<void> {
  const kinds = schedules.map(({ kind }) => kind)
  await app.transaction(async (tx) => {
    await sql`
      insert into jobs (kind, key, payload, run_at, attempts, created_at)
      select kind, 'schedule', '{}', ${tx.now}, 0, ${tx.now} from unnest(${kinds}::text[]) as kind
      on conflict (kind, key) where key is not null do nothing
    `.execute(tx.db)
    tx.afterCommit(() => tx.jobs.wake())
  })
}
