import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../context.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import type { Hit } from './hit.ts'

/** The facts of a sent email that recording an opening or click needs. */
export type TrackedEmail = {
  teamId: string
  emailId: string
  messageId: string
  sentAt: Date | null
  /** The email as described by its `sent` event; null while the hand-over is not recorded. */
  mail: Record<string, unknown> | null
  /** The number of recorded hits by `tallyKey`. */
  tallies: Record<string, number>
  /** `at` is an ISO timestamp. */
  recentClicks: { link: string; ipAddress: string; at: string }[]
  /** The `toldKey`s reported to listeners since the minute of the earliest hit began. */
  told: string[]
}

export function tallyKey(type: 'opened' | 'clicked', isBot: boolean): string {
  return `${type} ${isBot}`
}

/**
 * Returns the key of hits reported once: an email's openings, or clicks of one link, in a minute; people and bots
 * apart.
 */
export function toldKey({ type, link, at }: Pick<Hit, 'type' | 'link' | 'at'>, isBot: boolean): string {
  const linkHash = link === null ? '' : createHash('md5').update(link).digest('hex')
  return `${type} ${isBot} ${linkHash} ${minuteOf(at)}`
}

/** Returns a time to the minute: `2030-06-15T12:00`. */
function minuteOf(at: Date): string {
  return at.toISOString().slice(0, 16)
}

type Wanted = { teamId: string; emailId: string }

/** Locks the hits of these emails until the transaction ends. Takes the locks in one order, to avoid deadlocks. */
export async function lockHits(tx: Tx, wanted: Wanted[]): Promise<void> {
  const names = [...new Set(wanted.map(({ emailId }) => `hits of ${emailId}`))].sort()
  await sql`
    select pg_advisory_xact_lock(key)
    from (select hashtextextended(name, 0) as key from unnest(${names}::text[]) as name order by 1) as keys
  `.execute(tx.db)
}

/**
 * Finds the emails that exist, with their recorded hits: clicks after `since`, and `told` from the minute of `first`.
 */
export async function findTrackedEmails(db: Db, wanted: Wanted[], since: Date, first: Date): Promise<TrackedEmail[]> {
  const { rows } = await sql<TrackedEmail>`
    select email.team_id as "teamId", email.id as "emailId", message_id as "messageId", sent_at as "sentAt",
      sent.mail, coalesce(tallies.counts, '{}') as tallies, coalesce(recent.clicks, '[]') as "recentClicks",
      coalesce(told.keys, '{}') as told
    from (select distinct * from ${rowsOf(wanted, { teamId: 'uuid', emailId: 'uuid' }).as('wanted')}) as wanted
    join emails as email on email.team_id = wanted.team_id and email.id = wanted.email_id
    left join lateral (
      select data->'mail' as mail from email_events
      where team_id = email.team_id and email_id = email.id and type = 'sent' limit 1
    ) as sent on true
    left join lateral (
      select json_object_agg(kind, count) as counts from (
        select type || ' ' || (data->>'bot') as kind, count(*)::int as count from email_events
        where team_id = email.team_id and email_id = email.id and type in ('opened', 'clicked') and data ? 'bot'
        group by 1
      ) as counted
    ) as tallies on true
    left join lateral (
      select json_agg(json_build_object('link', click->>'link', 'ipAddress', click->>'ipAddress', 'at', click->>'timestamp')) as clicks
      from email_events, lateral (select data->'click' as click) as of_event
      where team_id = email.team_id and email_id = email.id and type = 'clicked' and data ? 'bot'
        and click->>'timestamp' > ${since.toISOString()}
    ) as recent on true
    left join lateral (
      select array_agg(distinct concat_ws(' ', type, data->>'bot', coalesce(md5(hit->>'link'), ''), left(hit->>'timestamp', 16))) as keys
      from email_events, lateral (select coalesce(data->'open', data->'click') as hit) as of_event
      where team_id = email.team_id and email_id = email.id and type in ('opened', 'clicked') and data ? 'bot'
        and hit->>'timestamp' >= ${minuteOf(first)}
    ) as told on true
  `.execute(db)
  return rows
}
