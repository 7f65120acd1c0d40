import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { removeMessages } from '../phone/remove-messages.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { Removal } from '../platform/retention/removal.ts'
import { removeOldInAllTeams } from '../platform/retention/remove-in-all-teams.ts'
import { type Page, type RemovePage, removeOldEventsInTeam } from '../platform/retention/remove-in-team.ts'
import { deliverWhatsappJob } from './jobs.ts'

/** Conversations of one page. */
const conversationsMax = 200

/**
 * Removes old WhatsApp messages that are handed over, with their events, and then the conversations that are left
 * empty.
 */
const removeWhatsapp: RemovePage = async (tx, teamId, { before, after }) => {
  if (after.startsWith('conversations ')) return removeConversations(tx, teamId, { before, after: after.slice(14) })
  // A message has up to five events, one of each type.
  const channel = { name: 'whatsapp', job: deliverWhatsappJob.kind, messagesMax: 160 } as const
  return (await removeMessages(tx, teamId, { before, after }, channel)) ?? 'conversations '
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

/** Longer than recording any send takes, also if the database is unreachable for a while. */
const earlyStatusesKeptMs = 3_600_000

/** Old statuses without a message belong to messages that are not ours. */
const earlyStatuses: Removal = {
  kind: 'whatsapp.forget-early-statuses',
  everyMs: 600_000,
  keptMs: earlyStatusesKeptMs,
  remove: removeOldInAllTeams('whatsapp_early_statuses', 'received_at'),
}

export const whatsappRemovals: Removal[] = [
  { name: 'whatsapp', days: 'messagesDays', remove: removeWhatsapp },
  { name: 'whatsapp-events', days: 'eventsDays', remove: removeOldEventsInTeam('whatsapp_events', 'message_id') },
  earlyStatuses,
]
