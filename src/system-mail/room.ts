import { sql } from 'kysely'
import { limitsOf } from '../billing/plans.ts'
import type { App } from '../context.ts'
import { emailsLeftNow } from '../emails/quota/take.ts'
import { findUsage } from '../emails/quota/usage.ts'
import { firstIdAt } from '../platform/ids.ts'
import { findTerms } from '../teams/queries.ts'

/** System mail waits no longer than that without being repeated. */
const recentMs = 3_600_000

/**
 * True if mail that no person waits for may be handed over now: it takes the upper half of the emails that
 * `SYSTEM_TEAM` may send in a moment, so that a reset finds the lower half, however much other mail waits.
 */
export async function hasRoomForOthers({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): Promise<boolean> {
  const teamId = config.systemTeam!
  const now = clock.now()
  const terms = await findTerms(db, teamId)
  const usage = await findUsage(db, teamId)
  if (!terms || !usage) return true
  const { left, most } = emailsLeftNow(usage, limitsOf(terms), now)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from emails
    where team_id = ${teamId} and system and id > ${firstIdAt(new Date(now.getTime() - recentMs))} and status = 'scheduled'
  `.execute(db)
  return left - rows[0]!.count > most / 2
}
