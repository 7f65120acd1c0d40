import { type RawBuilder, sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../../context.ts'
import { countMessageEvents } from '../../../health/count-messages.ts'
import { publish } from '../../../platform/events.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { noteSystemReasons, suppressAddresses } from '../../../suppressions/suppress.ts'
import { outdateStatusCounts } from '../../list/outdate-counts.ts'
import { withoutReturnAddresses } from '../../return-address.ts'
import { emailStatuses } from '../statuses.ts'
import {
  consequencesOf,
  type EmailFact,
  type EventFields,
  type FactsOfEmail,
  suppressionsOf,
  unsubscribedBit,
} from './consequences.ts'

/**
 * Records facts: it inserts events, moves statuses forward, suppresses addresses and publishes. A fact whose provider
 * id is known changes nothing, so repeats and any order lead to the same result.
 */
export async function recordEmailFacts(tx: Tx, given: FactsOfEmail[]): Promise<void> {
  const emails = given.map(withoutSecrets)
  const items = emails.map((email) => ({ email, events: eventsOf(tx, email) }))
  const inserted = insertEvents(tx, items)
  const fresh = emails.every(needsNoAnswer) ? emails : freshOf(items, await inserted)
  // Nothing here waits for these updates, so that they go in one write with the first statements of the subscribers.
  tx.withCommit(moveStatuses(tx, fresh))
  tx.withCommit(suppressAddresses(tx, fresh.flatMap(suppressionsOf)))
  tx.withCommit(noteSystemReasons(tx, fresh.filter(({ fields }) => fields.system).flatMap(suppressionsOf)))
  await publish(tx, fresh.flatMap(newsOf))
  const events = fresh.flatMap(({ teamId, facts }) => facts.map(({ type }) => ({ teamId, type })))
  countMessageEvents(tx, 'email', events)
}

/** Removes return addresses, which servers quote in their answers, from events and webhooks. */
function withoutSecrets(email: FactsOfEmail): FactsOfEmail {
  const facts = email.facts.map((fact) => {
    const json = JSON.stringify(fact.data)
    const clean = withoutReturnAddresses(json)
    return clean === json ? fact : ({ ...fact, data: JSON.parse(clean) } as EmailFact)
  })
  return { ...email, facts }
}

/** Publishes every fact but `outcome_unknown`. */
function newsOf({ teamId, emailId, facts, fields: { tags, system }, isSilent = false }: RecordedFacts) {
  const news = isSilent ? [] : facts
  return news.flatMap(({ type, recipient, permanent, data }) => {
    if (type === 'outcome_unknown') return []
    const details = tags ? { ...data, tags } : data
    const marks = { ...(permanent && { permanent: true as const }), ...(system && { system: true as const }) }
    const email = { emailId, recipient, details, ...marks }
    return [{ type: `email.${type}` as const, teamId, data: email }]
  })
}

/** The facts of an email that were not recorded before. */
type RecordedFacts = FactsOfEmail & { fields: EventFields }

/**
 * True if the answer of `insertEvents` says nothing new: the fields are given, and an event without a provider's id
 * cannot have been recorded before.
 */
function needsNoAnswer(email: FactsOfEmail): email is RecordedFacts {
  return email.fields !== undefined && email.providerEventId === undefined
}

type Item = { email: FactsOfEmail; events: ReturnType<typeof eventsOf> }
type Inserted = { id: string; fields: EventFields | null }

/** Returns the events that were not recorded before. */
function insertEvents(tx: Tx, items: Item[]): SentAtOnce<Inserted[]> {
  const rows = items.flatMap(({ events }) => events.map(({ row }) => row))
  return tx.send(sql<Inserted>`
    insert into email_events (team_id, id, email_id, type, recipient, provider_event_id, data, created_at, position)
    select team_id, id, email_id, type, recipient, provider_event_id, data, created_at, coalesce(position, feed_position())
    from json_populate_recordset(null::email_events, ${JSON.stringify(rows)}::json)
    on conflict (team_id, email_id, provider_event_id) where provider_event_id is not null do nothing
    returning id, (
      select json_build_object('tags', tags, 'system', system)
      from emails where emails.team_id = email_events.team_id and emails.id = email_events.email_id
    ) as fields
  `)
}

/** Leaves out facts whose event was not inserted. */
function freshOf(items: Item[], inserted: Inserted[]): RecordedFacts[] {
  const fieldsById = new Map(inserted.map(({ id, fields }) => [id, fields]))
  return items.map(({ email, events }) => {
    const fresh = events.filter(({ row }) => fieldsById.has(row.id))
    const fields = fresh.map(({ row }) => fieldsById.get(row.id)).find((found) => found)
    return { ...email, facts: fresh.map(({ fact }) => fact), fields: fields ?? { tags: null, system: false } }
  })
}

function eventsOf(tx: Tx, email: FactsOfEmail) {
  return email.facts.map((fact) => ({ fact, row: eventRow(tx, email, fact) }))
}

function eventRow(tx: Tx, { teamId, emailId, providerEventId, isSilent }: FactsOfEmail, fact: EmailFact) {
  return {
    // Null makes the statement take the next position of the feed. An event that is not published gets none.
    position: isSilent ? notInFeed : null,
    team_id: teamId,
    id: tx.newId(),
    email_id: emailId,
    type: fact.type,
    recipient: fact.recipient,
    // One notification may be about several recipients.
    provider_event_id: providerEventId === undefined ? null : `${providerEventId} ${fact.type} ${fact.recipient ?? ''}`,
    data: fact.data,
    created_at: tx.now,
  }
}

/** The `position` of events that the feed leaves out. */
const notInFeed = -1

/** Moves statuses forward and counts what was seen. */
async function moveStatuses(tx: Tx, given: FactsOfEmail[]): SentAtOnce {
  const moves = consequencesOf(given)
    // All transactions take emails in the same order, so that they cannot deadlock.
    .sort((left, right) => (left.emailId < right.emailId ? -1 : 1))
  if (moves.length === 0) return
  const noted = moves.filter(({ status, settled }) => status !== 'scheduled' || settled)
  tx.withCommit(outdateStatusCounts(tx, noted))
  const columns = {
    teamId: 'uuid',
    emailId: 'uuid',
    status: 'text',
    sent: 'bool',
    reported: 'bool',
    taken: 'bool',
    settled: 'bool',
    endsWaiting: 'bool',
    seen: 'int',
    opens: 'int',
    clicks: 'int',
  } as const
  await tx.send(sql`
    update emails set
      status = ${statusAfter},
      sent_at = case when new.sent or new.reported then coalesce(sent_at, ${tx.now}) else sent_at end,
      dispatching = dispatching and not ${isOver},
      seen = emails.seen | new.seen, opens = emails.opens + new.opens, clicks = emails.clicks + new.clicks,
      counted_at = ${tx.now}
    from ${rowsOf(moves, columns).as('new')}
    where emails.team_id = new.team_id and emails.id = new.email_id
  `)
}

const ranks = sql`${emailStatuses}::text[]`
const rankInSql = (status: RawBuilder<unknown>) => sql`array_position(${ranks}, ${status})`

/** A status moves forward, with two exceptions for delayed emails. */
const statusAfter = sql`case
  -- It is handed over now.
  when (new.sent or new.reported) and emails.sent_at is null and emails.status = 'delayed'
    then (${ranks})[greatest(${rankInSql(sql`new.status`)}, ${rankInSql(sql`'sent'`)})]
  when ${rankInSql(sql`new.status`)} > ${rankInSql(sql`emails.status`)} then new.status
  -- Its last job ended without a known outcome.
  when new.ends_waiting and emails.status = 'delayed' then 'sent'
  else emails.status end`

/**
 * True if the email is no longer being dispatched: the hand-over has ended, or the provider has the message for all
 * recipients and an earlier commit recorded the hand-over. The columns are those before the statement. Until the
 * hand-over is recorded, the email cannot be cancelled.
 */
const isOver = sql`(new.settled or (new.taken and emails.sent_at is not null and emails.status <> 'scheduled'))`

/** Counts an email whose recipient unsubscribed, once however often it is recorded. Does nothing if it was removed. */
export async function recordUnsubscribed(tx: Tx, teamId: string, emailId: string): Promise<void> {
  await sql`
    update emails set seen = seen | ${unsubscribedBit}::int, counted_at = ${tx.now}
    where team_id = ${teamId} and id = ${emailId}
  `.execute(tx.db)
}
