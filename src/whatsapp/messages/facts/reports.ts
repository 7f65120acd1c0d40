import { sql } from 'kysely'
import type { Db, Tx } from '../../../context.ts'
import type { Outcome, StatusEvent } from '../../inbound/event.ts'
import { stopAfterMessages } from '../../marketing/choices.ts'
import type { FactOfWhatsapp } from './consequences.ts'
import { keepStatuses, lockForKeeping } from './early.ts'
import { recordWhatsappFacts } from './record.ts'

/** The message that a status is about. */
type Match = { teamId: string; messageId: string }

/**
 * Finds the message of each status, or null. A status of an unknown message is kept for a while, because the message
 * may be handed over at this moment. It is not kept if the provider named our own id.
 */
export async function matchWhatsappStatuses(tx: Tx, events: StatusEvent[]): Promise<(Match | null)[]> {
  if (events.length === 0) return []
  const found = await findMatches(tx.db, events)
  const unmatched = events.filter((event) => !found.has(event) && !event.messageId)
  if (unmatched.length === 0) return events.map((event) => found.get(event) ?? null)
  await lockForKeeping(tx)
  const late = await findMatches(tx.db, unmatched)
  const early = unmatched.filter((event) => !late.has(event))
  const kept = early.map(({ providerMessageId, status, data = null }) => ({ providerMessageId, status, data }))
  await keepStatuses(tx, kept)
  return events.map((event) => found.get(event) ?? late.get(event) ?? null)
}

type Row = Match & { providerMessageId: string | null }

/** Finds outbound messages of all teams by the provider's id, or by ours if the provider's is not recorded yet. */
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

/** Records statuses of their matched messages. */
export async function recordWhatsappStatuses(
  tx: Tx,
  events: StatusEvent[],
  matches: (Match | null)[],
): Promise<Outcome[]> {
  const facts = events.map((event, index) => factOf(event, matches[index]!, tx.now))
  const known = facts.filter((fact) => fact !== null)
  const fresh = await recordWhatsappFacts(tx, known)
  const stopped = events.flatMap((event, index) => (event.isMarketingStop && matches[index] ? [matches[index]] : []))
  await stopAfterMessages(tx, stopped)
  const results = fresh.values()
  return facts.map((fact) => (fact === null ? 'ignored' : results.next().value ? 'processed' : 'duplicate'))
}

function factOf(event: StatusEvent, match: Match | null, at: Date): FactOfWhatsapp | null {
  const { providerMessageId, status, data = null } = event
  return match && { ...match, providerMessageId, status, at, data }
}
