import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { previewMax } from './note-messages.ts'
import type { ConversationRef } from './open.ts'

/** Locks a conversation before one of its messages is deleted. */
export async function lockConversation(tx: Tx, { teamId, id }: ConversationRef): Promise<void> {
  await tx.db
    .selectFrom('whatsapp_conversations')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
}

/** Resets a conversation to its state before a deleted message. Deletes it if it has no other message. */
export async function forgetMessage(tx: Tx, conversation: ConversationRef): Promise<void> {
  const { teamId, id } = conversation
  const { rows } = await sql`
    update whatsapp_conversations as conversation
    set last_message_at = last.created_at, last_message_preview = left(last.body, ${previewMax})
    from (
      select body, created_at from whatsapp_messages
      where team_id = ${teamId} and conversation_id = ${id} order by id desc limit 1
    ) as last
    where conversation.team_id = ${teamId} and conversation.id = ${id}
    returning conversation.id
  `.execute(tx.db)
  if (rows.length === 0) await deleteConversations(tx, [conversation])
}

/** Deletes conversations without a message. */
export async function deleteConversations(tx: Tx, conversations: ConversationRef[]): SentAtOnce {
  if (conversations.length === 0) return
  await tx.send(sql`
    delete from whatsapp_conversations as conversation
    using ${rowsOf(conversations, { teamId: 'uuid', id: 'uuid' }).as('gone')}
    where conversation.team_id = gone.team_id and conversation.id = gone.id
  `)
}
