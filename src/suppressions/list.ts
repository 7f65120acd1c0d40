import type { App } from '../context.ts'
import { likePattern, readPage } from '../platform/pagination.ts'
import { suppressionColumns } from './queries.ts'
import type { SuppressionQuery } from './schema.ts'

/** Returns a page, newest first. */
export function listSuppressions(app: App, teamId: string, { search, reason, ...query }: SuppressionQuery) {
  const rows = app.db
    .selectFrom('suppressions')
    .select(suppressionColumns)
    .where('team_id', '=', teamId)
    .$if(reason !== undefined, (rows) => rows.where('reason', '=', reason!))
    .$if(search !== undefined, (rows) => rows.where('email', 'ilike', likePattern(search!)))
  return readPage(app, { list: 'suppressions', teamId, filters: { search, reason } }, query, rows, usual)
}

const usual = { limitDefault: 20 }
