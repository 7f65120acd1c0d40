import { sql } from 'kysely'
import type { App, Caller, Db } from '../../context.ts'
import { runHeavyRead } from '../../platform/http/overload/heavy-reads.ts'
import { getBroadcast } from '../get.ts'
import { isSent } from '../queries.ts'
import type { BroadcastStats } from '../schema.ts'
import { isCancelled, isFailed } from './recipients.ts'

export async function getBroadcastStats(app: App, caller: Caller, id: string): Promise<BroadcastStats> {
  await getBroadcast(app, caller, id)
  return runHeavyRead(app, caller.teamId, 'search', () => findStats(app.db, caller.teamId, id))
}

type Counted = Omit<BroadcastStats, 'skipped'> & Required<BroadcastStats['skipped']>

/**
 * Counts the recipients of a broadcast by their rows. A contact that was deleted before its email was made, or erased
 * while its email waited for a relay, counts as unsubscribed. Those that a stopped broadcast did not reach count as
 * `cancelled` or `failed`, so that the numbers add up.
 */
export async function findStats(db: Db, teamId: string, id: string): Promise<BroadcastStats> {
  const { rows } = await sql<Counted>`
    select count(*)::int as total,
      count(*) filter (where ${isSent})::int as sent,
      count(*) filter (where delivered)::int as delivered,
      count(*) filter (where opened)::int as opened,
      count(*) filter (where clicked)::int as clicked,
      count(*) filter (where bounced)::int as bounced,
      count(*) filter (where complained)::int as complained,
      count(*) filter (where outcome in ('unsubscribed', 'gone'))::int as unsubscribed,
      count(*) filter (where outcome = 'suppressed')::int as suppressed,
      count(*) filter (where outcome = 'not_opted_in')::int as "notOptedIn",
      count(*) filter (where ${isCancelled})::int as cancelled,
      count(*) filter (where ${isFailed})::int as failed
    from broadcasts as broadcast
    join broadcast_recipients as recipient
      on recipient.team_id = broadcast.team_id and recipient.broadcast_id = broadcast.id
    where broadcast.team_id = ${teamId} and broadcast.id = ${id}
  `.execute(db)
  const { unsubscribed, suppressed, notOptedIn, cancelled, failed, ...counts } = rows[0]!
  const rare = { ...(cancelled > 0 && { cancelled }), ...(failed > 0 && { failed }) }
  return { ...counts, skipped: { unsubscribed, suppressed, notOptedIn, ...rare } }
}
