import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { type EventType, eventTypes } from '../webhooks/event-types.ts'
import { entryIdOf, type Place } from './entry-id.ts'

type FeedEntry = {
  id: string
  type: EventType
  at: Date
  data: { emailId: string; details: Record<string, unknown> | null }
}

/** An entry with the id of its event, which a delivery of it carries. */
export type ReadEntry = { entry: FeedEntry; eventId: string }

/**
 * `end` is where the next page begins, whether or not there is more at the moment. `isMissing`: retention removed
 * events behind the place that the reader has not read.
 */
export type FeedPage = { entries: ReadEntry[]; end: Place; hasMore: boolean; isMissing: boolean }

type Asked = { teamId: string; after: Place; types: readonly EventType[]; limit: number; contentMaxBytes: number }

/** The events that one answer looks at when it leaves some out. A page may be short, or empty, and still have more. */
const scannedMax = 2000

type Row = {
  isMissing: boolean
  scanned: number
  /** The place of the last event that was looked at. */
  lastPosition: string | null
  lastId: string | null
  found: number | null
  position: string
  id: string
  emailId: string
  type: string
  at: Date
  data: Record<string, unknown> | null
  tags: Record<string, unknown> | null
}

/**
 * Reads the entries behind a place, in the order in which they are shown: by the transaction that wrote them, once all
 * transactions before it have ended. So none is shown in front of one that was read. Reads up to the content, at least
 * one. System mail is left out, as in webhooks.
 */
export async function readFeed(db: Db, asked: Asked): Promise<FeedPage> {
  const { teamId, after, types, limit, contentMaxBytes } = asked
  const known = after.known ?? after
  const scanMax = types.length === eventTypes.length ? limit + 1 : scannedMax
  const { rows } = await sql<Row>`
    with scanned as materialized (
      select position, id, email_id, type from email_events
      -- The literal bound is that of the index.
      where team_id = ${teamId} and position >= 0 and position < feed_horizon()
        and position >= ${after.position}::bigint and (position, id) > (${after.position}::bigint, ${after.id}::uuid)
      order by position, id limit ${scanMax}
    ), wanted as (
      select scanned.*, email.tags from scanned
      join emails as email on email.team_id = ${teamId} and email.id = scanned.email_id and not email.system
      where 'email.' || scanned.type = any(${types}::text[])
      order by position, id limit ${limit + 1}
    ), sized as (
      select wanted.*, event.data, event.created_at, (count(*) over ())::int as found,
        row_number() over (order by wanted.position, wanted.id) as place,
        sum(coalesce(octet_length(event.data::text), 0))
          over (order by wanted.position, wanted.id rows unbounded preceding) as bytes
      from wanted
      join email_events as event on event.team_id = ${teamId} and event.email_id = wanted.email_id and event.id = wanted.id
    )
    select exists (
        select from email_event_removals where team_id = ${teamId}
          and (position, id) > (${after.position}::bigint, ${after.id}::uuid)
          and (position, id) > (${known.position}::bigint, ${known.id}::uuid)
      ) as "isMissing",
      scanned, last.position as "lastPosition", last.id as "lastId", found, sized.position, sized.id,
      email_id as "emailId", type, created_at as at, data, tags
    from (select count(*)::int as scanned from scanned) as counted
    left join (select position, id from scanned order by position desc, id desc limit 1) as last on true
    left join sized on place = 1 or (place <= ${limit} and bytes <= ${contentMaxBytes})
    order by place
  `.execute(db)
  return pageOf(asked, rows, scanMax)
}

function pageOf({ after }: Asked, rows: Row[], scanMax: number): FeedPage {
  const [first] = rows
  const isMissing = first?.isMissing ?? false
  if (!first || first.lastPosition === null) return { entries: [], end: after, hasMore: false, isMissing }
  const { known } = after
  const shown = rows.filter(({ found }) => found !== null)
  const entries = shown.map((row) => ({ entry: entryOf(row), eventId: row.id }))
  const last = shown.at(-1)
  if (last && last.found! > shown.length) {
    return { entries, end: { ...placeOfRow(last), known }, hasMore: true, isMissing }
  }
  const end = { position: BigInt(first.lastPosition), id: first.lastId!, known }
  return { entries, end, hasMore: first.scanned === scanMax, isMissing }
}

function placeOfRow({ position, id }: Pick<Row, 'position' | 'id'>): Place {
  return { position: BigInt(position), id }
}

/** `details` are those of the published event: its data, and the tags of the email. */
function entryOf({ emailId, type, at, data, tags, ...place }: Row): FeedEntry {
  const details = tags && data ? { ...data, tags } : data
  return { id: entryIdOf(placeOfRow(place)), type: `email.${type}` as EventType, at, data: { emailId, details } }
}

/** Finds the place behind all entries that are shown at the moment. */
export async function findHorizon(db: Db): Promise<bigint> {
  const { rows } = await sql<{ horizon: string }>`select feed_horizon() as horizon`.execute(db)
  return BigInt(rows[0]!.horizon)
}
