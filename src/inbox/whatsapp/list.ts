import type { App } from '../../context.ts'
import { bytesOf, readPage } from '../../platform/pagination.ts'
import { likePattern, someLikeAnyCase } from '../../platform/sql/like.ts'
import type { InboxWhatsappQuery } from './schema.ts'

/** Lists a page of captured WhatsApp messages, newest first. */
export function listInboxWhatsapp(app: App, teamId: string, { search, ...query }: InboxWhatsappQuery) {
  const pattern = likePattern(search ?? '')
  const rows = app.db
    .selectFrom('inbox_whatsapp')
    .select(['id', 'message_id as messageId', 'from_number as from', 'to_number as to', 'body'])
    .select(['template_name as templateName', 'created_at as createdAt'])
    .where('team_id', '=', teamId)
    .where('direction', '=', 'outbound')
    .$if(search !== undefined, (rows) =>
      rows.where(someLikeAnyCase(['body', 'from_number', 'to_number', 'template_name'], pattern)),
    )
  const options = { limitDefault: 20, bytes: bytesOf('body') }
  return readPage(app, { list: 'inbox-whatsapp', teamId, filters: { search } }, query, rows, options)
}
