import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { countMessageEvents } from '../../../health/count-messages.ts'
import { publish } from '../../../platform/events.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { noteSystemReasons, suppressAddresses } from '../../../suppressions/suppress.ts'
import { noteStatusMoves } from '../../list/search-count.ts'
import { withoutReturnAddresses } from '../../return-address.ts'
import { type EmailStatus, emailStatuses, furthestStatus } from '../statuses.ts'
import { consequenceOf, type EmailFact, type Seen, seenOf, unsubscribedBit } from './consequences.ts'

type Tags = Record<string, unknown> | null
/** Fields of an email that its events carry. */
type Told = { tags: Tags; system: boolean }

export type EmailFacts = {
  teamId: string
  emailId: string
  facts: EmailFact[]
  /** The email's. Read if left out. */
  told?: Told
  /** The hand-over has ended, well or not, so the email can be cancelled or deleted again. */
  settled?: boolean
  /** The provider's id of the event. A second event with the same id is not recorded. */
  providerEventId?: string
  /** Recorded, but not published. */
  isUntold?: boolean
}

/**
 * Records facts: it inserts events, moves statuses forward, suppresses addresses and publishes. A fact whose provider
 * id is known changes nothing, so repeats and any order lead to the same result.
 */
export async function recordEmailFacts(tx: Tx, given: EmailFacts[]): Promise<void> {
  const fresh = await insertEvents(tx, given.map(withoutSecrets))
  // In one write with what the subscribers read.
  moveStatuses(tx, fresh)
  tx.unread(suppressAddresses(tx, fresh.flatMap(suppressionsOf)))
  tx.unread(noteSystemReasons(tx, fresh.filter(({ told }) => told.system).flatMap(suppressionsOf)))
  await publish(tx, fresh.flatMap(newsOf))
  countMessageEvents(
    tx,
    'email',
    fresh.flatMap(({ teamId, facts }) => facts.map(({ type }) => ({ teamId, type }))),
  )
}

/** Removes return addresses, which servers quote in their answers, from events and webhooks. */
function withoutSecrets(email: EmailFacts): EmailFacts {
  const facts = email.facts.map((fact) => {
    const told = JSON.stringify(fact.data)
    const clean = withoutReturnAddresses(told)
    return clean === told ? fact : ({ ...fact, data: JSON.parse(clean) } as EmailFact)
  })
  return { ...email, facts }
}

function suppressionsOf({ teamId, facts }: EmailFacts) {
  return facts.flatMap((fact) => {
    const reason = consequenceOf(fact).suppress
    return reason && fact.recipient !== null ? [{ teamId, email: fact.recipient, reason }] : []
  })
}

function newsOf({ teamId, emailId, facts, told: { tags, system }, isUntold = false }: RecordedFacts) {
  const news = isUntold ? [] : facts
  return news.flatMap(({ type, recipient, data }) => {
    if (type === 'outcome_unknown') return []
    const details = tags ? { ...data, tags } : data
    const email = { emailId, recipient, details, ...(system && { system: true as const }) }
    return [{ type: `email.${type}` as const, teamId, data: email }]
  })
}

type RecordedFacts = EmailFacts & { told: Told }

/** Inserts events and gives the facts that were not recorded before. Waits only if it does not know them. */
async function insertEvents(tx: Tx, given: EmailFacts[]): Promise<RecordedFacts[]> {
  const rows = given.map((email) => email.facts.map((fact) => ({ fact, row: eventRow(tx, email, fact) })))
  const inserting = tx.send(sql<{ id: string; told: Told | null }>`
    insert into email_events (team_id, id, email_id, type, recipient, provider_event_id, data, created_at, position)
    select team_id, id, email_id, type, recipient, provider_event_id, data, created_at, coalesce(position, feed_position())
    from json_populate_recordset(null::email_events, ${JSON.stringify(rows.flat().map(({ row }) => row))}::json)
    on conflict (team_id, email_id, provider_event_id) where provider_event_id is not null do nothing
    returning id, (
      select json_build_object('tags', tags, 'system', system)
      from emails where emails.team_id = email_events.team_id and emails.id = email_events.email_id
    ) as told
  `)
  if (given.every(isKnown)) return given
  const toldById = new Map((await inserting).map(({ id, told }) => [id, told]))
  return given.map((email, index) => ({
    ...email,
    facts: rows[index]!.flatMap(({ fact, row }) => (toldById.has(row.id) ? fact : [])),
    told: rows[index]!.map(({ row }) => toldById.get(row.id)).find((told) => told) ?? { tags: null, system: false },
  }))
}

/** Only an event with a provider's id may have been recorded before. */
function isKnown(email: EmailFacts): email is RecordedFacts {
  return email.told !== undefined && email.providerEventId === undefined
}

function eventRow(tx: Tx, { teamId, emailId, providerEventId, isUntold }: EmailFacts, fact: EmailFact) {
  return {
    // Null is filled in by the database. What listeners do not hear is not in the feed either.
    position: isUntold ? notInFeed : null,
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

/** Nobody reads the answers. */
function moveStatuses(tx: Tx, given: EmailFacts[]): void {
  const moves = mergeByEmail(given.flatMap(moveOf))
    // All transactions take emails in the same order, so that they cannot deadlock.
    .sort((left, right) => (left.emailId < right.emailId ? -1 : 1))
  if (moves.length === 0) return
  const noted = moves.filter(({ status, settled }) => status !== 'scheduled' || settled)
  tx.unread(noteStatusMoves(tx, noted))
  const columns = {
    teamId: 'uuid',
    emailId: 'uuid',
    status: 'text',
    sent: 'bool',
    told: 'bool',
    settled: 'bool',
    seen: 'int',
    opens: 'int',
    clicks: 'int',
  } as const
  const ranks = sql`${emailStatuses}::text[]`
  void tx.send(sql`
    update emails set
      status = case
        -- It was delayed before it was handed over.
        when new.sent and emails.sent_at is null and emails.status = 'delayed' then new.status
        when array_position(${ranks}, new.status) > array_position(${ranks}, emails.status) then new.status
        else emails.status end,
      sent_at = case when new.sent or new.told then coalesce(sent_at, ${tx.now}) else sent_at end,
      dispatching = dispatching and not new.settled,
      seen = emails.seen | new.seen, opens = emails.opens + new.opens, clicks = emails.clicks + new.clicks,
      counted_at = ${tx.now}
    from ${rowsOf(moves, columns).as('new')}
    where emails.team_id = new.team_id and emails.id = new.email_id
  `)
}

type Move = Seen & {
  teamId: string
  emailId: string
  status: EmailStatus
  sent: boolean
  /** Reported by the receiving side, so the email was handed over even if that is not recorded yet. */
  told: boolean
  settled: boolean
}

function moveOf({ teamId, emailId, facts, settled = false, providerEventId }: EmailFacts): Move[] {
  const statuses = facts.flatMap((fact) => consequenceOf(fact).status ?? [])
  const seen = seenOf(facts)
  if (statuses.length === 0 && !settled && seen.seen + seen.opens + seen.clicks === 0) return []
  const sent = facts.some((fact) => fact.type === 'sent')
  const told = statuses.length > 0 && providerEventId !== undefined
  return [{ teamId, emailId, status: furthestStatus(statuses), sent, told, settled, ...seen }]
}

/** Merges moves into one row for each email: an update takes an arbitrary one of two matching rows. */
function mergeByEmail(moves: Move[]): Move[] {
  const merged = new Map<string, Move>()
  for (const move of moves) {
    const before = merged.get(move.emailId)
    merged.set(move.emailId, {
      ...move,
      status: furthestStatus([move.status, before?.status ?? 'scheduled']),
      sent: move.sent || (before?.sent ?? false),
      told: move.told || (before?.told ?? false),
      settled: move.settled || (before?.settled ?? false),
      seen: move.seen | (before?.seen ?? 0),
      opens: move.opens + (before?.opens ?? 0),
      clicks: move.clicks + (before?.clicks ?? 0),
    })
  }
  return [...merged.values()]
}

/** Counts an email whose recipient unsubscribed. Once, even if it is recorded again; not if the email was removed. */
export async function recordUnsubscribed(tx: Tx, teamId: string, emailId: string): Promise<void> {
  await sql`
    update emails set seen = seen | ${unsubscribedBit}::int, counted_at = ${tx.now}
    where team_id = ${teamId} and id = ${emailId}
  `.execute(tx.db)
}
