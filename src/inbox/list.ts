import type { App } from '../context.ts'
import { bytesOf, likePattern, readPage } from '../platform/pagination.ts'
import { matchesText, summaryColumns } from './queries.ts'
import type { InboxQuery } from './schema.ts'

/** Lists a page of captured emails, newest first. */
export function listInbox(app: App, teamId: string, { search, ...query }: InboxQuery) {
  const rows = app.db
    .selectFrom('inbox_messages')
    .select(summaryColumns)
    .where('team_id', '=', teamId)
    .$if(search !== undefined, (rows) => rows.where(matchesText(likePattern(search!))))
  const options = { limitDefault: 20, bytes: bytesOf('from', 'to', 'subject') }
  return readPage(app, { list: 'inbox', teamId, filters: { search } }, query, rows, options)
}
