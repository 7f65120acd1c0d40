import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import type { Schedule } from '../jobs/job.ts'
import { requestsKeptDays } from './kept.ts'

export const dayMs = 86_400_000
export const keptMs = requestsKeptDays * dayMs
/** Partitions are added this many days ahead. */
const daysAhead = 2

/** Returns the day of a time in UTC, such as `2026-01-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/**
 * Adds the partitions of today and the next days, and drops those that hold only requests older than seven days. This
 * is no removal of the feature, because it drops the partition of a day, and gives up if it would have to wait.
 */
export const keepDaysOfRequests: Schedule = {
  kind: 'requests.keep-days',
  everyMs: 600_000,
  async run(app: App) {
    const now = app.clock.now().getTime()
    if (app.config.requestLog === 'on') {
      for (let ahead = 0; ahead <= daysAhead; ahead++) {
        await app.transaction((tx) => addDay(tx, dayOf(new Date(now + ahead * dayMs))))
      }
    }
    const oldest = dayOf(new Date(now - keptMs))
    for (const day of await findDays(app)) if (day < oldest) await app.transaction((tx) => dropDay(tx, day))
  },
}

/**
 * Adds the partition of a day, unless there is one. It is attached empty, under a lock that lets requests be written
 * and read meanwhile; `create table … partition of` would wait for them.
 */
export async function addDay(tx: Tx, day: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('request_pages', 0))`.execute(tx.db)
  const name = tableOf(day)
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(tx.db)
  if (rows[0]!.exists) return
  const start = new Date(`${day}T00:00:00Z`)
  const [from, to] = [start, new Date(start.getTime() + dayMs)].map((at) => sql.lit(at.toISOString()))
  await sql`create table ${sql.table(name)} (like request_pages including all)`.execute(tx.db)
  await sql`alter table request_pages attach partition ${sql.table(name)} for values from (${from}) to (${to})`.execute(
    tx.db,
  )
}

/**
 * Drops a day. Gives up after 200 ms behind a long read, so that no request waits behind it; the next run tries again.
 */
async function dropDay(tx: Tx, day: string): Promise<void> {
  await sql`set local lock_timeout = '200ms'`.execute(tx.db)
  await sql`drop table if exists ${sql.table(tableOf(day))}`.execute(tx.db)
}

async function findDays(app: App): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'request_pages'::regclass order by relname
  `.execute(app.db)
  return rows.map(({ name }) => name.slice('request_pages_'.length).replaceAll('_', '-'))
}

function tableOf(day: string): string {
  return `request_pages_${day.replaceAll('-', '_')}`
}
