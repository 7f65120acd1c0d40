import type { App, Caller } from '../context.ts'
import { seesSystemMail } from '../emails/system-mail.ts'
import { bytesOf, readPage } from '../platform/pagination.ts'
import { likePattern } from '../platform/sql/like.ts'
import { matchesText, summaryColumns } from './queries.ts'
import type { InboxQuery } from './schema.ts'

/** Lists a page of captured emails, newest first. System mail is shown to owners and admins only. */
export function listInbox(app: App, caller: Caller, { search, ...query }: InboxQuery) {
  const { teamId } = caller
  const rows = app.db
    .selectFrom('inbox_messages')
    .select(summaryColumns)
    .where('team_id', '=', teamId)
    .$if(!seesSystemMail(caller), (rows) => rows.where('system', '=', false))
    .$if(search !== undefined, (rows) => rows.where(matchesText(likePattern(search!))))
  const options = { limitDefault: 20, bytes: bytesOf('from', 'to', 'subject') }
  return readPage(app, { list: 'inbox', teamId, filters: { search } }, query, rows, options)
}
