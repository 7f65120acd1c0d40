import type { Db } from '../../context.ts'

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

/** Of an answer: a few megabytes. Teams that have more see those that were active last. */
const conversationsMax = 10_000

/** Most recently active first. */
export function listConversationsOfTeam(db: Db, teamId: string) {
  return db
    .selectFrom('whatsapp_conversations')
    .select(conversationColumns)
    .where('team_id', '=', teamId)
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(conversationsMax)
    .execute()
}
