import { sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { modeColumn } from '../../platform/mode/mode.ts'
import { bytesOf, type PageQuery, readPage, takeContent } from '../../platform/pagination.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { messagesUsual, type WhatsappMessage } from './schema.ts'

const messageColumns = [
  'id',
  'sender_id as senderId',
  'conversation_id as conversationId',
  'direction',
  'to_number as to',
  'from_number as from',
  'template_id as templateId',
  'template_name as templateName',
  'variables',
  'body',
  'status',
  'provider_message_id as providerMessageId',
  'error',
  modeColumn,
  'created_at as createdAt',
  'sent_at as sentAt',
] as const

export function findWhatsappMessage(db: Db, teamId: string, id: string) {
  return db
    .selectFrom('whatsapp_messages')
    .select(messageColumns)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns messages of many teams by id, with one statement. */
export async function findWhatsappMessages(
  db: Db,
  wanted: { teamId: string; id: string }[],
): Promise<Map<string, WhatsappMessage>> {
  const rows = await db
    .selectFrom('whatsapp_messages')
    .select(messageColumns)
    .where(
      sql<boolean>`(team_id, id) in (
        select * from ${rowsOf(wanted, { teamId: 'uuid', id: 'uuid' }).as('wanted')}
      )`,
    )
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Newest first. */
export function listWhatsappMessages(app: App, teamId: string, query: PageQuery) {
  const rows = app.db.selectFrom('whatsapp_messages').select(messageColumns).where('team_id', '=', teamId)
  return readPage(app, { list: 'whatsapp messages', teamId }, query, rows, { limitDefault: messagesUsual, bytes })
}

const bytes = bytesOf('body', 'variables', 'error')

/** Our choice: people do not scroll further in a long thread. */
const threadMax = 1000

/**
 * Returns the newest messages of a conversation, oldest first: at most `threadMax`, and at most the bytes of a page.
 */
export async function listThread(db: Db, teamId: string, conversationId: string) {
  const newest = db
    .selectFrom('whatsapp_messages')
    .select(messageColumns)
    .where('team_id', '=', teamId)
    .where('conversation_id', '=', conversationId)
    .orderBy('id', 'desc')
    .limit(threadMax)
  const { rows } = await takeContent(db, newest, { limit: threadMax, bytes })
  return rows.reverse()
}

/** Returns the events of a message, oldest first. */
export function listMessageEvents(db: Db, teamId: string, messageId: string) {
  return db
    .selectFrom('whatsapp_events')
    .select(['id', 'type', 'created_at as createdAt', 'data'])
    .where('team_id', '=', teamId)
    .where('message_id', '=', messageId)
    .orderBy('id')
    .execute()
}
