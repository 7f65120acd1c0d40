import type { App, Db } from '../context.ts'
import { readPage } from '../platform/pagination.ts'
import { likePattern, someLikeAnyCase } from '../platform/sql/like.ts'
import { suppressionColumns } from './queries.ts'
import type { SuppressionFilter, SuppressionQuery } from './schema.ts'

/** Returns a page, newest first. */
export function listSuppressions(app: App, teamId: string, { search, reason, ...query }: SuppressionQuery) {
  const rows = findSuppressions(app.db, teamId, { search, reason })
  return readPage(app, { list: 'suppressions', teamId, filters: { search, reason } }, query, rows, usual)
}

const usual = { limitDefault: 20 }

/** Selects a team's blocked addresses that pass a filter. */
export function findSuppressions(db: Db, teamId: string, { search, reason }: SuppressionFilter) {
  return db
    .selectFrom('suppressions')
    .select(suppressionColumns)
    .where('team_id', '=', teamId)
    .$if(reason !== undefined, (rows) => rows.where('reason', '=', reason!))
    .$if(search !== undefined, (rows) => rows.where(someLikeAnyCase(['email'], likePattern(search!))))
}
