import { type RawBuilder, sql } from 'kysely'
import type { App } from '../src/context.ts'
import { until } from './patience.ts'

/** Runs `work` while another transaction holds the locks of a statement, which is committed afterwards. */
export async function whileLocked<T>(app: App, locking: RawBuilder<unknown>, work: () => Promise<T>): Promise<T> {
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = app.transaction(async (tx) => {
    await locking.execute(tx.db)
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  try {
    return await work()
  } finally {
    unlock.resolve()
    await holding
  }
}

/** Counts the statements that wait for a lock and hold this text. */
export async function countWaiting(app: App, text = ''): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${text}) > 0
  `.execute(app.db)
  return rows[0]!.count
}

/** Waits until so many statements that hold this text wait for a lock. */
export async function untilWaiting(app: App, count = 1, text = ''): Promise<void> {
  await until(async () => (await countWaiting(app, text)) >= count)
}
