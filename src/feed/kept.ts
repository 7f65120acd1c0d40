import { sql } from 'kysely'
import type { Db } from '../context.ts'
import { type DomainError, gone } from '../platform/errors.ts'
import { beginning, isBefore, type Place, placeBefore } from './entry-id.ts'

const keptDays = 7

/** Returns the time before which entries are not shown any more. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptDays * 86_400_000)
}

/**
 * Throws `gone` if the entry behind this place is not shown any more, or retention removed one, so that a reader would
 * miss it.
 */
export async function refuseExpired(db: Db, teamId: string, after: Place, since: Date): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from email_events
    where team_id = ${teamId} and position >= 0 and position < feed_horizon()
      and position >= ${after.position}::bigint and (position, id) > (${after.position}::bigint, ${after.id}::uuid)
    order by position, id limit 1
  `.execute(db)
  if (rows[0] && rows[0].at < since) throw feedExpired()
  const removed = await findLastRemoved(db, teamId)
  if (removed && isBefore(after, removed) && isBefore(after.known ?? after, removed)) throw feedExpired()
}

/** Returns the error for a reader that would miss entries. */
export function feedExpired(): DomainError {
  const message = `The feed goes back ${keptDays} days, or as long as the team keeps events and emails, and what follows this entry is older. Begin anew without it.`
  return gone('feed_expired', message)
}

/** Finds the last place of which retention removed the event. */
export async function findLastRemoved(db: Db, teamId: string): Promise<Place | undefined> {
  const { rows } = await sql<{ position: string; id: string }>`
    select position, id from email_event_removals where team_id = ${teamId}
  `.execute(db)
  return rows[0] && { position: BigInt(rows[0].position), id: rows[0].id }
}

/**
 * Finds the place in front of the oldest entry that is kept. Positions follow the time, so it halves the range of
 * positions and looks at one event each time, however many events there are.
 */
export async function findOldestKept(db: Db, teamId: string, since: Date): Promise<Place> {
  const { rows } = await sql<{ position: string | null }>`
    with recursive range(low, high) as (
      select min(position), feed_horizon() from email_events
      where team_id = ${teamId} and position >= 0 and position < feed_horizon()
      union all
      select case when is_old then middle + 1 else low end, case when is_old then high else middle end
      from range
      cross join lateral (select low + (high - low) / 2 as middle) as halved
      cross join lateral (
        select coalesce((
          select created_at < ${since} from email_events
          where team_id = ${teamId} and position >= middle and position >= 0 and position < feed_horizon()
          order by position, id limit 1
        ), false) as is_old
      ) as looked
      where low < high
    )
    select low as position from range where low >= high
  `.execute(db)
  const position = rows[0]?.position ?? null
  return position === null ? beginning : placeBefore(BigInt(position))
}
