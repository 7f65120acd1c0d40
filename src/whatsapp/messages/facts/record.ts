import { type RawBuilder, sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../../context.ts'
import { countMessageEvents } from '../../../health/count-messages.ts'
import { publish } from '../../../platform/events.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { type DeliveryStatus, whatsappStatuses } from '../statuses.ts'
import { consequencesOf, type FactOfWhatsapp, type Move } from './consequences.ts'

/**
 * Records facts of messages: an event of each type once, and a status that only moves forward. The result does not
 * depend on order or repeats. Returns for each fact whether it was new.
 */
export async function recordWhatsappFacts(tx: Tx, facts: FactOfWhatsapp[]): Promise<boolean[]> {
  if (facts.length === 0) return []
  tx.withCommit(lockMessages(tx, facts))
  const inserted = await insertEvents(tx, facts)
  // Among equal facts in one call, only the first is new.
  const fresh = facts.map((fact) => inserted.delete(keyOf(fact)))
  const news = facts.filter((_fact, index) => fresh[index])
  tx.withCommit(moveMessages(tx, consequencesOf(news)))
  await publish(
    tx,
    news.map(({ teamId, messageId }) => ({ type: 'whatsapp.updated', teamId, data: { messageId } })),
  )
  const events = news.map(({ teamId, status: type }) => ({ teamId, type }))
  countMessageEvents(tx, 'whatsapp', events)
  return fresh
}

function keyOf({ messageId, status }: Pick<FactOfWhatsapp, 'messageId' | 'status'>): string {
  return `${messageId} ${status}`
}

/**
 * Locks messages in the order of their ids, so that two transactions over the same messages cannot deadlock. They are
 * not deleted afterwards.
 */
async function lockMessages(tx: Tx, facts: FactOfWhatsapp[]): SentAtOnce {
  await tx.send(sql`
    select message.id from ${rowsOf(facts, { teamId: 'uuid', messageId: 'uuid' }).as('wanted')}
    join whatsapp_messages as message on message.team_id = wanted.team_id and message.id = wanted.message_id
    order by message.id for no key update of message
  `)
}

/** Inserts events of messages that still exist: one may be erased while the provider is asked. */
async function insertEvents(tx: Tx, facts: FactOfWhatsapp[]): Promise<Set<string>> {
  const events = facts.map(({ teamId, messageId, status, at, data }) => {
    return { team_id: teamId, message_id: messageId, type: status, id: tx.newId(), data, created_at: at }
  })
  const rows = await tx.send(sql<{ messageId: string; status: DeliveryStatus }>`
    insert into whatsapp_events (team_id, message_id, type, id, data, created_at)
    select team_id, message_id, type, id, data, created_at
    from json_populate_recordset(null::whatsapp_events, ${JSON.stringify(events)}::json) as event
    where exists (select from whatsapp_messages where team_id = event.team_id and id = event.message_id)
    on conflict (team_id, message_id, type) do nothing
    returning message_id as "messageId", type as status
  `)
  return new Set(rows.map(keyOf))
}

async function moveMessages(tx: Tx, moves: Move[]): SentAtOnce {
  if (moves.length === 0) return
  const rank = (status: RawBuilder<unknown>) => sql`array_position(${whatsappStatuses}::text[], ${status})`
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

/** A message whose hand-over ended without an answer. */
type Unknown = { teamId: string; messageId: string; message: string }

/** Records unknown outcomes. Writes nothing for messages that have received a status, whose outcome is known. */
export async function recordUnknown(tx: Tx, unknown: Unknown[]): Promise<void> {
  const events = unknown.map(({ teamId, messageId, message }) => {
    return { team_id: teamId, message_id: messageId, id: tx.newId(), data: { message }, created_at: tx.now }
  })
  if (events.length === 0) return
  const { rows } = await sql<{ teamId: string; type: string }>`
    insert into whatsapp_events (team_id, message_id, type, id, data, created_at)
    select event.team_id, event.message_id, 'outcome_unknown', event.id, event.data, event.created_at
    from json_populate_recordset(null::whatsapp_events, ${JSON.stringify(events)}::json) as event
    join whatsapp_messages as message on message.team_id = event.team_id and message.id = event.message_id
    where message.status = 'accepted'
    on conflict (team_id, message_id, type) do nothing
    returning team_id as "teamId", type
  `.execute(tx.db)
  countMessageEvents(tx, 'whatsapp', rows)
}
