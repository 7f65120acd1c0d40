import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { countMessageEvents } from '../../../health/count-messages.ts'
import { publish } from '../../../platform/events.ts'
import { rowsOf } from '../../../platform/sql-rows.ts'
import { type DeliveryStatus, messageStatuses, rankOf } from '../statuses.ts'

/** A fact about an outbound message. */
export type MessageFact = {
  teamId: string
  messageId: string
  /** The provider's id of the message; null if it was refused. */
  providerMessageId: string | null
  status: DeliveryStatus
  at: Date
  data: Record<string, unknown> | null
  /** The reason of a failure; read from `data` if left out. */
  reason?: string
}

/**
 * Applies facts to their messages: an event of each type once, and a status that only moves forward. The result does not depend
 * on order or repeats. Returns for each fact whether it was new.
 */
export async function applyMessageFacts(tx: Tx, facts: MessageFact[]): Promise<boolean[]> {
  if (facts.length === 0) return []
  tx.unread(lockMessages(tx, facts))
  const inserted = await insertEvents(tx, facts)
  // Among equal facts in one call, only the first is new.
  const fresh = facts.map((fact) => inserted.delete(keyOf(fact)))
  const news = facts.filter((_fact, index) => fresh[index])
  tx.unread(moveStatuses(tx, news))
  await publish(
    tx,
    news.map(({ teamId, messageId }) => ({ type: 'whatsapp.updated', teamId, data: { messageId } })),
  )
  countMessageEvents(
    tx,
    'whatsapp',
    news.map(({ teamId, status: type }) => ({ teamId, type })),
  )
  return fresh
}

function keyOf({ messageId, status }: Pick<MessageFact, 'messageId' | 'status'>): string {
  return `${messageId} ${status}`
}

/** Locks messages in the order of their ids, so that two transactions over the same messages cannot deadlock. */
async function lockMessages(tx: Tx, facts: MessageFact[]): Promise<void> {
  await tx.send(sql`
    select message.id from ${rowsOf(facts, { teamId: 'uuid', messageId: 'uuid' }).as('wanted')}
    join whatsapp_messages as message on message.team_id = wanted.team_id and message.id = wanted.message_id
    order by message.id for no key update of message
  `)
}

async function insertEvents(tx: Tx, facts: MessageFact[]): Promise<Set<string>> {
  const events = facts.map(({ teamId, messageId, status, at, data }) => {
    return { team_id: teamId, message_id: messageId, type: status, id: tx.newId(), data, created_at: at }
  })
  const rows = await tx.send(sql<{ messageId: string; status: DeliveryStatus }>`
    insert into whatsapp_events (team_id, message_id, type, id, data, created_at)
    select team_id, message_id, type, id, data, created_at
    from json_populate_recordset(null::whatsapp_events, ${JSON.stringify(events)}::json)
    on conflict (team_id, message_id, type) do nothing
    returning message_id as "messageId", type as status
  `)
  return new Set(rows.map(keyOf))
}

/** Moves statuses, with one row for each message: of two rows, an update would apply an arbitrary one. */
async function moveStatuses(tx: Tx, facts: MessageFact[]): Promise<void> {
  const moves = [...Map.groupBy(facts, ({ messageId }) => messageId).values()].map((its) => {
    const sorted = its.toSorted((one, other) => rankOf(one.status) - rankOf(other.status))
    const last = sorted.at(-1)!
    return {
      ...last,
      wasSent: sorted[0]!.status !== 'failed',
      seen: its.reduce((seen, { status }) => seen | seenBits[status], 0),
      error: errorOf(last),
    }
  })
  if (moves.length === 0) return
  const rank = (status: RawBuilder<unknown>) => sql`array_position(${messageStatuses}::text[], ${status})`
  await tx.send(sql`
    update whatsapp_messages as message set
      status = case when ${rank(sql`new.status`)} > ${rank(sql`message.status`)} then new.status else message.status end,
      seen = message.seen | new.seen, counted_at = ${tx.now},
      sent_at = coalesce(message.sent_at, case when new.was_sent then new.at end),
      error = coalesce(message.error, new.error),
      provider_message_id = coalesce(message.provider_message_id, new.provider_message_id)
    from ${rowsOf(moves, moveColumns).as('new')}
    where message.team_id = new.team_id and message.id = new.message_id
  `)
}

/** The bits of a fact in `seen`, by which the first of each kind is counted (migration 0047). One that was read had arrived. */
const seenBits = { sent: 1, delivered: 3, read: 7, failed: 8 } as const

const moveColumns = {
  teamId: 'uuid',
  messageId: 'uuid',
  status: 'text',
  wasSent: 'bool',
  seen: 'int',
  at: 'timestamptz',
  error: 'text',
  providerMessageId: 'text',
} as const

function errorOf({ status, reason, data }: MessageFact): string | null {
  return status === 'failed' ? (reason ?? reasonIn(data)) : null
}

/** Returns the reason of a failure in one line, from the provider's data. */
function reasonIn(data: Record<string, unknown> | null): string {
  const [first] = Array.isArray(data?.errors) ? data.errors : []
  const texts = [first?.message, first?.title, data?.message, data?.error].filter((text) => typeof text === 'string')
  return texts[0]?.slice(0, 500) ?? 'The provider reported that it was not delivered, without a reason.'
}
