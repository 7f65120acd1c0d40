import { sql } from 'kysely'
import type { Db } from '../../../context.ts'

/** A sent email as the recording of opens and clicks needs it. */
export type TrackedEmail = {
  teamId: string
  emailId: string
  messageId: string
  sentAt: Date | null
  /** As its `sent` event describes it; null while the hand-over is not recorded. */
  mail: Record<string, unknown> | null
  /** How many are recorded, by `tallyKey`. */
  tallies: Record<string, number>
  /** `at` is an ISO timestamp. */
  recentClicks: { link: string; ipAddress: string; at: string }[]
}

export function tallyKey(type: 'opened' | 'clicked', isBot: boolean): string {
  return `${type} ${isBot}`
}

/** Those of the emails that exist, with what is recorded of them and their clicks from `since` on. */
export async function findTrackedEmails(
  db: Db,
  wanted: { teamId: string; emailId: string }[],
  since: Date,
): Promise<TrackedEmail[]> {
  const { rows } = await sql<TrackedEmail>`
    select email.team_id as "teamId", email.id as "emailId", message_id as "messageId", sent_at as "sentAt",
      sent.mail, coalesce(tallies.counts, '{}') as tallies, coalesce(recent.clicks, '[]') as "recentClicks"
    from (select distinct * from unnest(
      ${wanted.map(({ teamId }) => teamId)}::uuid[], ${wanted.map(({ emailId }) => emailId)}::uuid[]
    ) as wanted (team_id, id)) as wanted
    join emails as email on email.team_id = wanted.team_id and email.id = wanted.id
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
  `.execute(db)
  return rows
}
