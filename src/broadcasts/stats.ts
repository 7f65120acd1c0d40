import { sql } from 'kysely'
import type { App, Caller, Db } from '../context.ts'
import { getBroadcast } from './get.ts'
import type { BroadcastStats } from './schema.ts'

export async function getBroadcastStats(app: App, caller: Caller, id: string): Promise<BroadcastStats> {
  await getBroadcast(app, caller, id)
  return findStats(app.db, caller.teamId, id)
}

type Counted = Omit<BroadcastStats, 'skipped'> & {
  unsubscribed: number
  suppressed: number
  notOptedIn: number
  cancelled: number
}

/**
 * Counted from the rows of its recipients. A contact deleted before its turn counts as unsubscribed: nobody is there to be
 * written to. Of a broadcast that was stopped, those whose turn did not come are `cancelled`, so that everybody stays
 * accounted for.
 */
export async function findStats(db: Db, teamId: string, id: string): Promise<BroadcastStats> {
  const { rows } = await sql<Counted>`
    select count(*)::int as total,
      count(*) filter (where outcome = 'sent' and settled)::int as sent,
      count(*) filter (where delivered)::int as delivered,
      count(*) filter (where opened)::int as opened,
      count(*) filter (where clicked)::int as clicked,
      count(*) filter (where bounced)::int as bounced,
      count(*) filter (where complained)::int as complained,
      count(*) filter (where outcome in ('unsubscribed', 'gone'))::int as unsubscribed,
      count(*) filter (where outcome = 'suppressed')::int as suppressed,
      count(*) filter (where outcome = 'not_opted_in')::int as "notOptedIn",
      count(*) filter (where outcome = 'cancelled' or (outcome is null and broadcast.status = 'sent'))::int as cancelled
    from broadcasts as broadcast
    join broadcast_recipients as recipient
      on recipient.team_id = broadcast.team_id and recipient.broadcast_id = broadcast.id
    where broadcast.team_id = ${teamId} and broadcast.id = ${id}
  `.execute(db)
  const { unsubscribed, suppressed, notOptedIn, cancelled, ...counts } = rows[0]!
  return { ...counts, skipped: { unsubscribed, suppressed, notOptedIn, ...(cancelled > 0 && { cancelled }) } }
}
