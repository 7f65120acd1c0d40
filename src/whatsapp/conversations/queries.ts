import type { App, Db } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'

const conversationColumns = [
  'id',
  'sender_id as senderId',
  'phone_number as phoneNumber',
  'contact_name as contactName',
  'window_expires_at as windowExpiresAt',
  'last_message_at as lastMessageAt',
  'last_message_preview as lastMessagePreview',
  'created_at as createdAt',
] as const

export function findConversation(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('whatsapp_conversations')
    .select(conversationColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Lists conversations, the most recently active first. A new message moves its conversation to the first page. */
export function listConversationsOfTeam(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('whatsapp_conversations').select(conversationColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'whatsapp conversations', teamId }, query, rows, { newestBy: 'lastMessageAt' })
}
