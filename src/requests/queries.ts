import { sql } from 'kysely'
import type { App } from '../context.ts'
import { readTimeRange } from '../platform/http/time-range.ts'
import { firstIdAt } from '../platform/ids.ts'
import { readPage } from '../platform/pagination.ts'
import { dayMs, keptMs } from '../platform/request-log/days.ts'
import type { RequestQuery } from './schema.ts'

/** Lists a page of requests, newest first. The times are compared by ids, so that only the partitions of those days are read. */
export async function listRequests(app: App, teamId: string, { limit, cursor, ...filters }: RequestQuery) {
  const { status, path, apiKeyId } = filters
  const { from, until } = readTimeRange(filters)
  const rows = keptRequests(app, teamId, from, until)
    .$if(status !== undefined, (rows) => rows.where('status', '=', status!))
    // Says it to the planner, whose index holds the requests that are not 200.
    .$if(status !== undefined && status !== 200, (rows) => rows.where(sql<boolean>`status <> 200`))
    .$if(path !== undefined, (rows) => rows.where('path', '=', path!))
    .$if(apiKeyId !== undefined, (rows) => rows.where('api_key_id', '=', apiKeyId!))
  const key = { list: 'requests', teamId, filters }
  const { data, ...page } = await readPage(app, key, { limit, cursor }, rows, { limitDefault: 20 })
  return { data: data.map(present), ...page }
}

export async function findRequest(app: App, teamId: string, id: string) {
  const row = await keptRequests(app, teamId, null, null).where('id', '=', id).executeTakeFirst()
  return row && present(row)
}

function keptRequests(app: App, teamId: string, from: Date | null, until: Date | null) {
  const now = app.clock.now().getTime()
  const first = new Date(Math.max(now - keptMs, from?.getTime() ?? 0))
  const last = new Date(Math.min(now + dayMs, Math.max(until?.getTime() ?? now + dayMs, 0)))
  return app.db
    .selectFrom('request_log')
    .select(columns)
    .where('team_id', '=', teamId)
    .where('id', '>=', firstIdAt(first))
    .where('id', '<', firstIdAt(last))
}

const columns = [
  ...(['id', 'at', 'method', 'path', 'status', 'duration_ms as durationMs'] as const),
  ...(['api_key_id as apiKeyId', 'user_id as userId', 'address', 'error_name as errorName'] as const),
] as const

function present<Row extends { id: string }>({ id, ...row }: Row) {
  return { requestId: id, ...row }
}
