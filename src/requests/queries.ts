import { type RawBuilder, sql } from 'kysely'
import type { App } from '../context.ts'
import { readTimeRange } from '../platform/http/schema/time-range.ts'
import { firstIdAt, idTimeMs } from '../platform/ids.ts'
import { type Position, readPage } from '../platform/pagination.ts'
import { dayMs, keptMs } from '../platform/request-log/days.ts'
import { type EntryRow, entryColumns, entryFields } from '../platform/request-log/entry.ts'
import { mayHold } from '../platform/request-log/marks.ts'
import { secondOf } from '../platform/request-log/pages.ts'
import type { RequestQuery } from './schema.ts'

/** Lists a page of requests, newest first. Reads stored pages from the newest second on, until there are enough. */
export async function listRequests(app: App, teamId: string, { limit, cursor, ...filters }: RequestQuery) {
  const { from, until } = readTimeRange(filters)
  const kept = keptTimes(app)
  const first = firstIdAt(new Date(Math.max(kept.first, from?.getTime() ?? 0)))
  const newest = firstIdAt(new Date(Math.min(kept.end, until?.getTime() ?? kept.end)))
  const rows = (after: Position | null, count: number) => {
    const end = after?.id ?? newest
    return sql<EntryRow>`
      select ${entryColumns} from request_pages cross join lateral json_array_elements(entries) as entry
      where team_id = ${teamId} and second between ${secondOf(first)} and ${secondOf(end)}
        and ${entryFields.id} >= ${first} and ${entryFields.id} < ${end} and ${holds(filters)}
      order by second desc, ${entryFields.id} desc limit ${count}
    `
  }
  const key = { list: 'requests', teamId, filters }
  const { data, ...page } = await readPage(app, key, { limit, cursor }, rows, { limitDefault: 20 })
  return { data: data.map(present), ...page }
}

export async function findRequest(app: App, teamId: string, id: string) {
  const kept = keptTimes(app)
  const time = idTimeMs(id)
  if (time < kept.first || time >= kept.end) return undefined
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from request_pages cross join lateral json_array_elements(entries) as entry
    where team_id = ${teamId} and second = ${secondOf(id)} and ${entryFields.id} = ${id}
  `.execute(app.db)
  return rows[0] && present(rows[0])
}

/** The times of the requests that are shown, in milliseconds. The end leaves room for the clocks of other processes. */
function keptTimes(app: App) {
  const now = app.clock.now().getTime()
  return { first: now - keptMs, end: now + dayMs }
}

/** Returns the condition that a stored page and a request in it meet a filter. */
function holds({ status, path, apiKeyId }: RequestQuery) {
  const wanted = Object.entries({ status, path, apiKeyId }).filter(([, value]) => value !== undefined)
  const same = wanted.map(([name, value]) => sql`${entryFields[name as keyof typeof entryFields]} = ${value}`)
  const isWanted = sql.join([sql`true`, ...same], sql` and `)
  return sql`${asHalf(mayHold({ status, path, apiKeyId }))} and ${asHalf(isWanted)}`
}

/**
 * Returns a condition that the planner counts half of the rows for. It would take the comparisons for very rare ones,
 * and sort all pages instead of reading a few from the newest on.
 */
function asHalf(condition: RawBuilder<unknown>) {
  return sql`case when ${condition} then true else false end`
}

function present({ id, ...row }: EntryRow) {
  return { requestId: id, at: new Date(idTimeMs(id)), ...row }
}
