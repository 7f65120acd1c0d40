import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { Removal } from '../platform/retention/removal.ts'
import { type Page, type RemovePage, removeEventsByAge } from '../platform/retention/remove-page.ts'
import { deliverWhatsappJob } from './jobs.ts'

/** Messages of one page. A message has up to five events, one of each type. */
const messagesMax = 160
/** Conversations of one page. */
const conversationsMax = 200

/**
 * Removes old WhatsApp messages that are handed over, with their events, and then the conversations that are left
 * empty.
 */
const removeWhatsapp: RemovePage = async (tx, teamId, { before, after }) => {
  if (after.startsWith('conversations ')) return removeConversations(tx, teamId, { before, after: after.slice(14) })
  const { rows } = await sql<{ id: string; hasEnded: boolean }>`
    select message.id, not exists (
      select from jobs where kind = ${deliverWhatsappJob.kind} and key = message.id::text
    ) as "hasEnded"
    from (
      select id from whatsapp_messages
      where team_id = ${teamId} and id < ${firstIdAt(before)} ${after ? sql`and id > ${after}` : sql``}
      order by id limit ${messagesMax}
    ) as message
    order by message.id
  `.execute(tx.db)
  const ids = rows.filter((message) => message.hasEnded).map(({ id }) => id)
  const { rows: locked } = await sql<{ id: string }>`
    select id from whatsapp_messages where team_id = ${teamId} and id = any(${ids}::uuid[]) for update skip locked
  `.execute(tx.db)
  const held = locked.map(({ id }) => id)
  await sql`delete from whatsapp_events where team_id = ${teamId} and message_id = any(${held}::uuid[])`.execute(tx.db)
  await sql`delete from whatsapp_messages where team_id = ${teamId} and id = any(${held}::uuid[])`.execute(tx.db)
  return rows.length === messagesMax ? rows.at(-1)!.id : 'conversations '
}

/** A message that comes in locks and moves its conversation, so a conversation that is locked or has moved stays. */
async function removeConversations(tx: Tx, teamId: string, { before, after }: Page): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from whatsapp_conversations
    where team_id = ${teamId} and id < ${firstIdAt(before)} ${after ? sql`and id > ${after}` : sql``}
    order by id limit ${conversationsMax}
  `.execute(tx.db)
  const ids = rows.map(({ id }) => id)
  const { rows: locked } = await sql<{ id: string }>`
    select id from whatsapp_conversations
    where team_id = ${teamId} and id = any(${ids}::uuid[]) and last_message_at < ${before} for update skip locked
  `.execute(tx.db)
  await sql`
    delete from whatsapp_conversations as conversation
    where team_id = ${teamId} and id = any(${locked.map(({ id }) => id)}::uuid[]) and not exists (
      select from whatsapp_messages where team_id = ${teamId} and conversation_id = conversation.id
    )
  `.execute(tx.db)
  return rows.length === conversationsMax ? `conversations ${rows.at(-1)!.id}` : null
}

export const whatsappRemovals: Removal[] = [
  { name: 'whatsapp', days: 'messagesDays', remove: removeWhatsapp },
  { name: 'whatsapp-events', days: 'eventsDays', remove: removeEventsByAge('whatsapp_events', 'message_id') },
]
