import { type RawBuilder, sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../../context.ts'
import { countMessageEvents } from '../../../health/count-messages.ts'
import { publish } from '../../../platform/events.ts'
import { insertRows } from '../../../platform/sql/insert-rows.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { noteRefusedByOptOut } from '../../opt-outs/note-refused.ts'
import type { SmsPrice } from '../../provider.ts'
import { smsStatuses } from '../statuses.ts'
import { type Change, changesOf, dataOf, type FactOfSms, type Outcome, orderOf } from './consequences.ts'

/**
 * Records facts of messages: an event for each, a status that only moves forward, and the carrier's price. The result
 * does not depend on order or repeats. Charges do not change: they were settled when the provider accepted or refused
 * the message.
 */
export async function recordSmsFacts(tx: Tx, given: FactOfSms[]): Promise<void> {
  await recordAll(tx, [], given)
}

/**
 * Records how hand-overs ended: whether each message is billed, the facts that the provider's answers contain, and an
 * event for each message that the provider did not accept.
 */
export async function recordOutcomes(tx: Tx, outcomes: Outcome[], given: FactOfSms[]): Promise<void> {
  const events = outcomes.flatMap(({ teamId, messageId, event }) => (event ? [{ teamId, messageId, ...event }] : []))
  insertOwnEvents(tx, events)
  countMessageEvents(tx, 'sms', events)
  await recordAll(tx, outcomes, given)
}

async function recordAll(tx: Tx, outcomes: Outcome[], given: FactOfSms[]): Promise<void> {
  // Every transaction locks messages in this order, so that two over the same messages wait and do not deadlock.
  const sorted = given.toSorted((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1))
  const fresh = await insertEvents(tx, sorted)
  tx.withCommit(changeMessages(tx, changesOf(outcomes, fresh)))
  const stopped = fresh.filter(({ fact }) => fact.isOptOut)
  await noteRefusedByOptOut(tx, stopped)
  const news = fresh.map(({ teamId, messageId: smsId }) => ({ type: 'sms.updated' as const, teamId, data: { smsId } }))
  await publish(tx, news)
  const events = fresh.map(({ teamId, fact: { type } }) => ({ teamId, type }))
  countMessageEvents(tx, 'sms', events)
}

/** Returns the facts that are new. */
async function insertEvents(tx: Tx, given: FactOfSms[]): Promise<FactOfSms[]> {
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

/**
 * Updates messages, each once, since an update writes all of their indexes. A message that the provider refused stays
 * failed, even if later facts say otherwise. The provider's id in an answer replaces another one; that of a fact does
 * not.
 */
async function changeMessages(tx: Tx, changes: Change[]): SentAtOnce {
  if (changes.length === 0) return
  tx.withCommit(lockMessages(tx, changes))
  const rows = changes.map((change) => ({
    ...change,
    price: change.price?.amount,
    currency: change.price?.currency,
    priceAt: change.price?.at,
  }))
  const rank = (status: RawBuilder<unknown>) => sql`array_position(${smsStatuses}::text[], ${status})`
  const isNews = sql`(new.price_at is not null and (message.carrier_price_at is null
    or (new.price_at, new.price) > (message.carrier_price_at, message.carrier_price)))`
  await tx.send(sql`
    update sms_messages as message set
      billable = coalesce(new.is_billed, message.billable),
      status = case when new.is_failed or ${rank(sql`new.status`)} > ${rank(sql`message.status`)}
        then new.status else message.status end,
      provider_message_id = case when new.is_billed is null
        then coalesce(message.provider_message_id, new.provider_message_id)
        else coalesce(new.provider_message_id, message.provider_message_id) end,
      seen = message.seen | new.seen, counted_at = ${tx.now},
      sent_at = least(message.sent_at, new.sent_at),
      carrier_price = case when ${isNews} then new.price else message.carrier_price end,
      carrier_currency = case when ${isNews} then new.currency else message.carrier_currency end,
      carrier_price_at = case when ${isNews} then new.price_at else message.carrier_price_at end
    from ${rowsOf(rows, changeColumns).as('new')}
    where message.team_id = new.team_id and message.id = new.message_id
      and (new.is_billed is not null or message.billable is distinct from false)
  `)
}

const changeColumns = {
  teamId: 'uuid',
  messageId: 'uuid',
  isBilled: 'bool',
  isFailed: 'bool',
  providerMessageId: 'text',
  status: 'text',
  seen: 'int',
  sentAt: 'timestamptz',
  price: 'numeric',
  currency: 'text',
  priceAt: 'timestamptz',
} as const

/** Locks in a separate statement, so that the update afterwards sees the rows of the transactions it waited for. */
async function lockMessages(tx: Tx, changes: Change[]): SentAtOnce {
  await tx.send(sql`
    select message.id
    from ${rowsOf(changes, { teamId: 'uuid', messageId: 'uuid' }).as('new')}
    join sms_messages as message on message.team_id = new.team_id and message.id = new.message_id
    order by message.id for no key update of message
  `)
}

type OwnEvent = { teamId: string; messageId: string; type: string; data: Record<string, unknown> | null }

/** Inserts events that no provider reported, so that none of them is known already. Their answer is not read. */
function insertOwnEvents(tx: Tx, events: OwnEvent[]): void {
  const rows = events.map(({ teamId, messageId, type, data }) => {
    return { team_id: teamId, id: tx.newId(), message_id: messageId, type, data, created_at: tx.now }
  })
  tx.withCommit(insertRows(tx, 'sms_events', rows))
}

/**
 * Removes what events say of messages whose recipient was erased while the provider was asked: a refusal may quote the
 * number.
 */
export async function forgetEventData(tx: Tx, messages: { teamId: string; messageId: string }[]): Promise<void> {
  if (messages.length === 0) return
  await tx.send(sql`
    update sms_events as event set data = null
    from ${rowsOf(messages, { teamId: 'uuid', messageId: 'uuid' }).as('erased')}
    where event.team_id = erased.team_id and event.message_id = erased.message_id
  `)
}

/** Records that messages were accepted, in the transaction that inserts them. */
export function recordAccepted(tx: Tx, messages: { teamId: string; id: string }[]): void {
  const events = messages.map(({ teamId, id }) => ({ teamId, messageId: id, type: 'accepted', data: null }))
  insertOwnEvents(tx, events)
}

/** Records a price that the provider was asked for, in the message and in the newest event that it reported. */
export async function recordSmsPrice(
  tx: Tx,
  { teamId, messageId }: Pick<FactOfSms, 'teamId' | 'messageId'>,
  price: SmsPrice,
): Promise<void> {
  const { amount, currency } = price
  const { numAffectedRows } = await sql`
    update sms_messages set carrier_price = ${amount}::numeric, carrier_currency = ${currency}, carrier_price_at = ${tx.now}
    where team_id = ${teamId} and id = ${messageId} and carrier_price is null
  `.execute(tx.db)
  if (numAffectedRows !== 1n) return
  await sql`
    update sms_events set data = coalesce(data, '{}') || ${JSON.stringify({ carrierPrice: price })}::jsonb
    where team_id = ${teamId} and message_id = ${messageId} and id = (
      select id from sms_events
      where team_id = ${teamId} and message_id = ${messageId} and provider_event_id is not null order by id desc limit 1
    )
  `.execute(tx.db)
}
