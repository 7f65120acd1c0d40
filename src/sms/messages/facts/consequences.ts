import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { countMessageEvents } from '../../../health/count-messages.ts'
import { publish } from '../../../platform/events.ts'
import { rowsOf } from '../../../platform/sql-rows.ts'
import { noteRefusedByOptOut } from '../../opt-outs/note-refused.ts'
import type { SmsFact } from '../../provider.ts'
import { rankOf, type SmsStatus, smsStatuses } from '../statuses.ts'

/** A fact with the message that it is about. */
export type FactOfMessage = { teamId: string; messageId: string; fact: SmsFact }

/**
 * Applies facts to their messages: an event for each, a status that only moves forward, and the carrier's price. The result does
 * not depend on order or repeats. Charges do not change: they were settled when the provider accepted or refused the message.
 */
export async function applySmsFacts(tx: Tx, given: FactOfMessage[]): Promise<void> {
  // Every transaction locks messages in this order, so that two over the same messages wait and do not deadlock.
  const sorted = given.toSorted((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1))
  const fresh = await insertEvents(tx, sorted)
  tx.unread(moveMessages(tx, mergeByMessage(fresh)))
  await noteRefusedByOptOut(
    tx,
    fresh.filter(({ fact }) => fact.isOptOut),
  )
  await publish(
    tx,
    fresh.map(({ teamId, messageId: smsId }) => ({ type: 'sms.updated', teamId, data: { smsId } })),
  )
  countMessageEvents(
    tx,
    'sms',
    fresh.map(({ teamId, fact: { type } }) => ({ teamId, type })),
  )
}

function orderOf({ messageId, fact }: FactOfMessage): string {
  return `${messageId} ${fact.at.toISOString()} ${rankOf(fact.type)} ${fact.factId}`
}

/** Returns the facts that are new. */
async function insertEvents(tx: Tx, given: FactOfMessage[]): Promise<FactOfMessage[]> {
  if (given.length === 0) return []
  const rows = given.map(({ teamId, messageId, fact }) => ({
    team_id: teamId,
    id: tx.newId(),
    message_id: messageId,
    type: fact.type,
    provider_event_id: fact.factId,
    data: dataOf(fact),
    created_at: tx.now,
  }))
  const inserted = await tx.send(sql<{ id: string }>`
    insert into sms_events (team_id, id, message_id, type, provider_event_id, data, created_at)
    select team_id, id, message_id, type, provider_event_id, data, created_at
    from json_populate_recordset(null::sms_events, ${JSON.stringify(rows)}::json)
    on conflict (team_id, message_id, provider_event_id) where provider_event_id is not null do nothing
    returning id
  `)
  const ids = new Set(inserted.map(({ id }) => id))
  return given.filter((_, index) => ids.has(rows[index]!.id))
}

/** Returns the data of the event, which show the price if the fact has one. */
function dataOf(fact: SmsFact): Record<string, unknown> | null {
  return priceOf(fact) ? { ...fact.data, carrierPrice: fact.carrierPrice } : fact.data
}

type Price = { amount: string; currency: string; at: Date }

type Move = {
  teamId: string
  messageId: string
  providerMessageId: string
  status: SmsStatus
  /** The kinds of the facts as bits, by which the first of each kind is counted. */
  seen: number
  /** The time the message was sent, if the facts contain it. */
  sentAt: Date | null
  price: Price | null
}

/** Merges the facts into one row for each message: of two rows, an update would apply an arbitrary one. */
function mergeByMessage(facts: FactOfMessage[]): Move[] {
  const merged = new Map<string, Move>()
  for (const { teamId, messageId, fact } of facts) {
    const { providerMessageId, type, at } = fact
    const before = merged.get(messageId)
    merged.set(messageId, {
      teamId,
      messageId,
      providerMessageId,
      status: furthest(type, before?.status ?? 'accepted'),
      seen: seenBitsOf(type) | (before?.seen ?? 0),
      sentAt: earlier(hasLeft(type) ? at : null, before?.sentAt ?? null),
      price: later(priceOf(fact), before?.price ?? null),
    })
  }
  return [...merged.values()]
}

function furthest(one: SmsStatus, other: SmsStatus): SmsStatus {
  return rankOf(one) > rankOf(other) ? one : other
}

/** Tells whether the fact shows that the provider sent the message to a carrier. */
export function hasLeft(type: SmsStatus): boolean {
  return type === 'sent' || type === 'delivered' || type === 'undelivered'
}

/** Returns the bits of a fact in `seen`. Migration 0047 reads them. */
export function seenBitsOf(type: SmsStatus): number {
  const own = { accepted: 0, queued: 0, sent: 0, delivered: 2, undelivered: 4, failed: 8 }[type]
  return own | (hasLeft(type) ? 1 : 0)
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one < other ? one : other
}

/** Returns the price of a fact. Ignores an amount that is not a number, so that the rest of the fact is still recorded. */
function priceOf({ carrierPrice, at }: SmsFact): Price | null {
  return carrierPrice && /^\d{1,9}(\.\d{1,12})?$/.test(carrierPrice.amount) ? { ...carrierPrice, at } : null
}

/** Returns the later price, or the higher one if both have the same time. */
function later(one: Price | null, other: Price | null): Price | null {
  if (!one || !other) return one ?? other
  const difference = one.at.getTime() - other.at.getTime() || Number(one.amount) - Number(other.amount)
  return difference > 0 ? one : other
}

/** Updates statuses. A message that the provider refused stays failed, even if later facts say otherwise. */
async function moveMessages(tx: Tx, moves: Move[]): Promise<void> {
  if (moves.length === 0) return
  tx.unread(lockMessages(tx, moves))
  const rows = moves.map((move) => ({
    ...move,
    price: move.price?.amount,
    currency: move.price?.currency,
    priceAt: move.price?.at,
  }))
  const rank = (status: RawBuilder<unknown>) => sql`array_position(${smsStatuses}::text[], ${status})`
  const isNews = sql`(new.price_at is not null and (message.carrier_price_at is null
    or (new.price_at, new.price) > (message.carrier_price_at, message.carrier_price)))`
  await tx.send(sql`
    update sms_messages as message set
      status = case when ${rank(sql`new.status`)} > ${rank(sql`message.status`)} then new.status else message.status end,
      provider_message_id = coalesce(message.provider_message_id, new.provider_message_id),
      seen = message.seen | new.seen, counted_at = ${tx.now},
      sent_at = least(message.sent_at, new.sent_at),
      carrier_price = case when ${isNews} then new.price else message.carrier_price end,
      carrier_currency = case when ${isNews} then new.currency else message.carrier_currency end,
      carrier_price_at = case when ${isNews} then new.price_at else message.carrier_price_at end
    from ${rowsOf(rows, moveColumns).as('new')}
    where message.team_id = new.team_id and message.id = new.message_id and message.billable is distinct from false
  `)
}

const moveColumns = {
  teamId: 'uuid',
  messageId: 'uuid',
  providerMessageId: 'text',
  status: 'text',
  seen: 'int',
  sentAt: 'timestamptz',
  price: 'numeric',
  currency: 'text',
  priceAt: 'timestamptz',
} as const

/** Locks in a separate statement, so that the update afterwards sees the rows of the transactions it waited for. */
async function lockMessages(tx: Tx, moves: Move[]): Promise<void> {
  await tx.send(sql`
    select message.id
    from ${rowsOf(moves, { teamId: 'uuid', messageId: 'uuid' }).as('new')}
    join sms_messages as message on message.team_id = new.team_id and message.id = new.message_id
    order by message.id for no key update of message
  `)
}
