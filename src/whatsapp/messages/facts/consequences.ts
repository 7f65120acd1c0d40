import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import type { DeliveryStatus } from '../../table.ts'

/** One thing that is known of one outbound message. */
export type StatusFact = {
  teamId: string
  messageId: string
  /** What the provider calls the message, which one that it refused has not. */
  providerMessageId: string | null
  status: DeliveryStatus
  at: Date
  data: Record<string, unknown> | null
  /** Of a failure: why. */
  error: string | null
}

/**
 * Records facts of messages: an event of each kind once, and a status that only moves forward, so repeats and any order end
 * the same. Gives of each fact whether it was new.
 */
export async function applyStatuses(tx: Tx, facts: StatusFact[]): Promise<boolean[]> {
  if (facts.length === 0) return []
  await lockMessages(tx, facts)
  const inserted = await insertEvents(tx, facts)
  // The first of equal ones in the same call is the new one.
  const fresh = facts.map((fact) => inserted.delete(keyOf(fact)))
  await moveStatuses(
    tx,
    facts.filter((_fact, index) => fresh[index]),
  )
  return fresh
}

function keyOf({ messageId, status }: Pick<StatusFact, 'messageId' | 'status'>): string {
  return `${messageId} ${status}`
}

/** In one order for all, so that two transactions over the same messages cannot deadlock. */
async function lockMessages(tx: Tx, facts: StatusFact[]): Promise<void> {
  await sql`
    select message.id from unnest(${facts.map(({ teamId }) => teamId)}::uuid[], ${facts.map(({ messageId }) => messageId)}::uuid[])
      as wanted (team_id, id)
    join whatsapp_messages as message on message.team_id = wanted.team_id and message.id = wanted.id
    order by message.id for no key update of message
  `.execute(tx.db)
}

async function insertEvents(tx: Tx, facts: StatusFact[]): Promise<Set<string>> {
  const events = facts.map(({ teamId, messageId, status, at, data }) => {
    return { team_id: teamId, message_id: messageId, type: status, id: tx.newId(), data, created_at: at }
  })
  const { rows } = await sql<{ messageId: string; status: DeliveryStatus }>`
    insert into whatsapp_events (team_id, message_id, type, id, data, created_at)
    select team_id, message_id, type, id, data, created_at
    from json_populate_recordset(null::whatsapp_events, ${JSON.stringify(events)}::json)
    on conflict (team_id, message_id, type) do nothing
    returning message_id as "messageId", type as status
  `.execute(tx.db)
  return new Set(rows.map(keyOf))
}

const order: DeliveryStatus[] = ['sent', 'delivered', 'read', 'failed']

/** One row a message: of two that match, an update would take either. */
async function moveStatuses(tx: Tx, facts: StatusFact[]): Promise<void> {
  const moves = [...Map.groupBy(facts, ({ messageId }) => messageId).values()].map((its) => {
    const sorted = its.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))
    return { ...sorted.at(-1)!, wasSent: sorted[0]!.status !== 'failed' }
  })
  if (moves.length === 0) return
  await sql`
    update whatsapp_messages as message set
      status = case when whatsapp_status_rank(new.status) > whatsapp_status_rank(message.status)
        then new.status else message.status end,
      sent_at = coalesce(message.sent_at, case when new.was_sent then new.at end),
      error = coalesce(message.error, new.error),
      provider_message_id = coalesce(message.provider_message_id, new.provider_message_id)
    from unnest(${moves.map(({ teamId }) => teamId)}::uuid[], ${moves.map(({ messageId }) => messageId)}::uuid[],
      ${moves.map(({ status }) => status)}::text[], ${moves.map(({ wasSent }) => wasSent)}::bool[],
      ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ error }) => error)}::text[],
      ${moves.map(({ providerMessageId }) => providerMessageId)}::text[])
      as new (team_id, id, status, was_sent, at, error, provider_message_id)
    where message.team_id = new.team_id and message.id = new.id
  `.execute(tx.db)
}
