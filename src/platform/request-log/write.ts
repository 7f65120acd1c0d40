import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { perApp } from '../per-app.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import { addDay, dayOf } from './days.ts'
import type { LoggedRequest } from './entry.ts'
import { pagesOf, type RequestPage } from './pages.ts'

/**
 * Writes requests in one statement, of any teams. Those of deleted teams are left out: they are written a second after
 * their answers, when the rows of the team may be removed already.
 */
export async function writeRequests(app: App, requests: LoggedRequest[]): Promise<void> {
  const pages = pagesOf(requests)
  await addMissingDays(app, pages)
  const { bytes, placed } = joined(pages)
  await sql`
    insert into request_pages (team_id, second, id, marks, entries)
    select team_id, second, id, marks, convert_from(substring(${bytes}::bytea from start for length), 'UTF8')::json
    from ${rowsOf(placed, columns).as('page')}
    where exists (select from teams where id = team_id and deleted_at is null)
  `.execute(app.db)
}

const columns = {
  teamId: 'uuid',
  second: 'timestamptz',
  id: 'uuid',
  marks: 'bytea',
  start: 'int',
  length: 'int',
} as const

/**
 * Returns the entries of all pages as one parameter, and where each page's part begins, from 1. Escaping them as
 * elements of an array would take this process as much time again.
 */
function joined(pages: RequestPage[]) {
  let start = 1
  const parts = pages.map(({ entries }) => Buffer.from(entries))
  const placed = pages.map(({ entries: _, ...page }, index) => {
    const { length } = parts[index]!
    const place = { ...page, start, length }
    start += length
    return place
  })
  return { bytes: Buffer.concat(parts), placed }
}

/** The days that this process has seen the partition of. */
const knownDays = perApp((_: App) => new Set<string>())
const knownMax = 10

/** A job adds the days ahead. This adds one that is missing, for example because no worker ran. */
async function addMissingDays(app: App, pages: RequestPage[]): Promise<void> {
  const known = knownDays(app)
  const missing = new Set(pages.map(({ second }) => dayOf(second)).filter((day) => !known.has(day)))
  for (const day of missing) {
    await app.transaction((tx) => addDay(tx, day))
    if (known.size >= knownMax) known.clear()
    known.add(day)
  }
}
