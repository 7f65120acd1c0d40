import type { App, Db } from '../context.ts'
import { likePattern, type Position, pageOf, readCursor } from '../platform/pagination.ts'
import { suppressionColumns } from './queries.ts'
import type { SuppressionQuery } from './schema.ts'

/** A page, newest first. */
export async function listSuppressions(app: App, teamId: string, query: SuppressionQuery) {
  const { limit = 20, cursor, search, reason } = query
  const key = { list: 'suppressions', teamId, filters: { search, reason } }
  const position = readCursor(app.keyring, key, cursor)
  const rows = await findPage(app.db, teamId, query, position, limit + 1)
  return pageOf(app.keyring, key, rows, limit)
}

function findPage(db: Db, teamId: string, { search, reason }: SuppressionQuery, after: Position | null, count: number) {
  return db
    .selectFrom('suppressions')
    .select(suppressionColumns)
    .where('team_id', '=', teamId)
    .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
    .$if(reason !== undefined, (rows) => rows.where('reason', '=', reason!))
    .$if(search !== undefined, (rows) => rows.where('email', 'ilike', likePattern(search!)))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
