import type { App, Db } from '../../context.ts'
import { likePattern, type Position, pageOf, readCursor } from '../../platform/pagination.ts'
import type { InboxWhatsappQuery } from './schema.ts'

/** A page, newest first. */
export async function listInboxWhatsapp(app: App, teamId: string, query: InboxWhatsappQuery) {
  const { limit = 20, cursor, search } = query
  const key = { list: 'inbox-whatsapp', teamId, filters: { search } }
  const position = readCursor(app.keyring, key, cursor)
  const rows = await findPage(app.db, teamId, search, position, limit + 1)
  return pageOf(app.keyring, key, rows, limit)
}

function findPage(db: Db, teamId: string, search: string | undefined, after: Position | null, count: number) {
  const pattern = likePattern(search ?? '')
  return db
    .selectFrom('inbox_whatsapp')
    .select(['id', 'message_id as messageId', 'from_number as from', 'to_number as to', 'body'])
    .select(['template_name as templateName', 'created_at as createdAt'])
    .where('team_id', '=', teamId)
    .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
    .$if(search !== undefined, (rows) =>
      rows.where((row) =>
        row.or([
          row('body', 'ilike', pattern),
          row('from_number', 'ilike', pattern),
          row('to_number', 'ilike', pattern),
          row('template_name', 'ilike', pattern),
        ]),
      ),
    )
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
