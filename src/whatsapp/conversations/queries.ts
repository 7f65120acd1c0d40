import type { App, Db } from '../../context.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { isWindowOpen } from './open.ts'

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

/**
 * Lists a page of conversations, the most recently active first. A new message moves its conversation to the first
 * page.
 */
export async function listConversations(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('whatsapp_conversations').select(conversationColumns).where('team_id', '=', teamId)
  const key = { list: 'whatsapp conversations', teamId }
  const { data, ...page } = await readPage(app, key, query, rows, { newestBy: 'lastMessageAt' })
  return { data: data.map((row) => withWindow(app, row)), ...page }
}

/** Adds whether the customer can be answered freely now. */
export function withWindow<Row extends { windowExpiresAt: Date | null }>(app: App, row: Row) {
  return { ...row, windowOpen: isWindowOpen(row.windowExpiresAt, app.clock.now()) }
}
