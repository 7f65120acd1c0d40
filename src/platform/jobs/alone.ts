import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { createSemaphore } from '../limits/semaphore.ts'
import { perApp } from '../per-app.ts'
import { type Job, LeaseLost } from './job.ts'

/** True for a job whose last process ended. The job may be the cause. */
export function isSuspect({ takeUps, endings }: Job): boolean {
  return takeUps > 0 || endings > 0
}

const turnsOf = perApp((_: App) => createSemaphore({ runningMax: 1 }))

/**
 * Does a dangerous part of a suspect job while this process does that of no other suspect. It is noted before and
 * after, so a process that ends meanwhile leaves its note on the job that is to blame, and on none of those that it
 * also held.
 */
export function runAlone<T>(app: App, job: Job, work: () => Promise<T>): Promise<T> {
  return turnsOf(app).run(async () => {
    await noteEndings(app, job, job.endings + 1)
    const result = await work()
    await noteEndings(app, job, 0)
    return result
  })
}

async function noteEndings(app: App, { id, leaseToken }: Job, endings: number): Promise<void> {
  const noted = await app.transaction((tx) =>
    tx.send(sql`update jobs set endings = ${endings} where id = ${id} and lease_token = ${leaseToken} returning id`),
  )
  if (noted.length === 0) throw new LeaseLost()
}
