import type { App, Db } from '../context.ts'
import { likePattern, type Position, pageOf, readCursor } from '../platform/pagination.ts'
import { matchesText, summaryColumns } from './queries.ts'
import type { InboxQuery } from './schema.ts'

/** A page, newest first. */
export async function listInbox(app: App, teamId: string, query: InboxQuery) {
  const { limit = 20, cursor, search } = query
  const key = { list: 'inbox', teamId, filters: { search } }
  const position = readCursor(app.keyring, key, cursor)
  const rows = await findPage(app.db, teamId, search, position, limit + 1)
  return pageOf(app.keyring, key, rows, limit)
}

function findPage(db: Db, teamId: string, search: string | undefined, after: Position | null, count: number) {
  return db
    .selectFrom('inbox_messages')
    .select(summaryColumns)
    .where('team_id', '=', teamId)
    .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
    .$if(search !== undefined, (rows) => rows.where(matchesText(likePattern(search!))))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
