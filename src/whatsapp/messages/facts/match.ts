import { sql } from 'kysely'
import type { Db, Tx } from '../../../context.ts'
import type { StatusEvent } from '../../inbound/apply.ts'
import { keepStatuses, lockForKeeping } from './early.ts'

/** Of whose message a status tells. */
export type Match = { teamId: string; messageId: string }

/**
 * The message of each status, or null. A status of no message that we know is kept for a while: the message may be being
 * handed over this moment. Where the provider told our own id, there is no such doubt.
 */
export async function matchStatuses(tx: Tx, events: StatusEvent[]): Promise<(Match | null)[]> {
  if (events.length === 0) return []
  const found = await findMatches(tx.db, events)
  const unmatched = events.filter((event) => !found.has(event) && !event.messageId)
  if (unmatched.length === 0) return events.map((event) => found.get(event) ?? null)
  await lockForKeeping(tx)
  const late = await findMatches(tx.db, unmatched)
  await keepStatuses(
    tx,
    unmatched
      .filter((event) => !late.has(event))
      .map(({ providerMessageId, status, data = null }) => ({ providerMessageId, status, data })),
  )
  return events.map((event) => found.get(event) ?? late.get(event) ?? null)
}

type Row = Match & { providerMessageId: string | null }

/** By the provider's id, or by ours where its is not recorded; of outbound messages of all teams. */
async function findMatches(db: Db, events: StatusEvent[]): Promise<Map<StatusEvent, Match>> {
  const { rows } = await sql<Row>`
    select team_id as "teamId", id as "messageId", provider_message_id as "providerMessageId" from whatsapp_messages
    where direction = 'outbound' and provider_message_id = any(${events.map((event) => event.providerMessageId)}::text[])
    union all
    select team_id, id, null from whatsapp_messages
    where direction = 'outbound' and provider_message_id is null
      and id = any(${events.flatMap(({ messageId }) => messageId ?? [])}::uuid[])
  `.execute(db)
  const byProviderId = new Map(rows.map((row) => [row.providerMessageId, row]))
  const byOurs = new Map(rows.flatMap((row) => (row.providerMessageId === null ? [[row.messageId, row]] : [])))
  const matches = events.flatMap((event): [StatusEvent, Match][] => {
    const row = byProviderId.get(event.providerMessageId) ?? byOurs.get(event.messageId ?? '')
    return row ? [[event, row]] : []
  })
  return new Map(matches)
}
