import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { likePattern, type Position, pageOf, readCursor } from '../../platform/pagination.ts'
import type { InboxQuery } from '../schema.ts'

/** A page, newest first; the search looks in sender, number and body. */
export async function listInboxSms(app: App, teamId: string, { limit = 20, cursor, search }: InboxQuery) {
  const key = { list: 'inbox-sms', teamId, filters: { search } }
  const position = readCursor(app.keyring, key, cursor)
  return pageOf(app.keyring, key, await findPage(app.db, teamId, search, position, limit + 1), limit)
}

function findPage(db: Db, teamId: string, search: string | undefined, after: Position | null, count: number) {
  return db
    .selectFrom('inbox_sms')
    .select(['id', 'message_id as messageId', 'from_sender as from', 'to_number as to', 'body'])
    .select('created_at as createdAt')
    .where('team_id', '=', teamId)
    .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
    .$if(search !== undefined, (rows) => rows.where(matches(likePattern(search!))))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

function matches(pattern: string) {
  return sql<boolean>`(from_sender ilike ${pattern} or to_number ilike ${pattern} or body ilike ${pattern})`
}
