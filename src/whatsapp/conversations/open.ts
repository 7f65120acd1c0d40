import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql-rows.ts'

/** A conversation is between a sender and a number. */
export type Pair = { teamId: string; senderId: string; phoneNumber: string }

export type ConversationRef = { teamId: string; id: string }

export type OpenConversation = Pair & { id: string; windowExpiresAt: Date | null }

export function pairKey({ teamId, senderId, phoneNumber }: Pair): string {
  return `${teamId} ${senderId} ${phoneNumber}`
}

/** Sorts conversations. Every transaction locks them in this order, so that two transactions cannot deadlock. */
function sortPairs(pairs: Pair[]): Pair[] {
  const unique = new Map(pairs.map((pair) => [pairKey(pair), pair]))
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, pair]) => pair)
}

/** Begins and returns the conversations that do not exist yet. Their first message is written in the same transaction. */
export async function beginConversations(tx: Tx, pairs: Pair[]): Promise<ConversationRef[]> {
  const sorted = sortPairs(pairs)
  if (sorted.length === 0) return []
  const begun = sorted.map((pair) => ({ ...pair, id: tx.newId() }))
  const columns = { teamId: 'uuid', id: 'uuid', senderId: 'uuid', phoneNumber: 'text' } as const
  return tx.send(sql<ConversationRef>`
    insert into whatsapp_conversations
      (team_id, id, sender_id, phone_number, last_message_at, last_message_preview, created_at)
    select team_id, id, sender_id, phone_number, '-infinity', '', ${tx.now}
    from ${rowsOf(begun, columns).as('pair', 'position')}
    order by position
    on conflict (team_id, sender_id, phone_number) do nothing
    returning team_id as "teamId", id
  `)
}

/** Locks the existing conversations until the transaction ends. Returns them by `pairKey`. */
export async function lockConversations(tx: Tx, pairs: Pair[]): Promise<Map<string, OpenConversation>> {
  const sorted = sortPairs(pairs)
  if (sorted.length === 0) return new Map()
  const rows = await tx.send(sql<OpenConversation>`
    select conversation.team_id as "teamId", conversation.id, conversation.sender_id as "senderId",
      conversation.phone_number as "phoneNumber", window_expires_at as "windowExpiresAt"
    from ${rowsOf(sorted, { teamId: 'uuid', senderId: 'uuid', phoneNumber: 'text' }).as('pair', 'position')}
    join whatsapp_conversations as conversation on conversation.team_id = pair.team_id
      and conversation.sender_id = pair.sender_id and conversation.phone_number = pair.phone_number
    order by position
    for no key update of conversation
  `)
  return new Map(rows.map((row) => [pairKey(row), row]))
}

/** Tells whether a window is open. It is closed at the moment its 24 hours end. */
export function isWindowOpen(windowExpiresAt: Date | null, now: Date): boolean {
  return windowExpiresAt !== null && now < windowExpiresAt
}
