import type { App } from '../../context.ts'
import { readPage } from '../../platform/pagination.ts'
import { likePattern, someLikeAnyCase } from '../../platform/sql/like.ts'
import type { InboxQuery } from '../schema.ts'

/** Lists a page of captured SMS, newest first. Searches sender, number and body. */
export function listInboxSms(app: App, teamId: string, { search, ...query }: InboxQuery) {
  const rows = app.db
    .selectFrom('inbox_sms')
    .select(['id', 'message_id as messageId', 'from_sender as from', 'to_number as to', 'body'])
    .select('created_at as createdAt')
    .where('team_id', '=', teamId)
    .where('direction', '=', 'outbound')
    .$if(search !== undefined, (rows) =>
      rows.where(someLikeAnyCase(['from_sender', 'to_number', 'body'], likePattern(search!))),
    )
  return readPage(app, { list: 'inbox-sms', teamId, filters: { search } }, query, rows, { limitDefault: 20 })
}
