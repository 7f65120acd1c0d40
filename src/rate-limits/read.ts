import { limitsOf } from '../billing/plans.ts'
import { unitsPerDollar } from '../billing/rate-card.ts'
import type { App, Caller, Db } from '../context.ts'
import { dayOf, nextMidnight } from '../platform/time/clock.ts'

/**
 * Reads the limits of the caller's team and their use since midnight UTC. `emailsSentToday` and `smsSentToday` have
 * their names from the API's contract and count what was accepted.
 */
export async function readRateLimits(app: App, caller: Caller) {
  const now = app.clock.now()
  const limits = limitsOf(caller)
  const day = dayOf(now)
  const emailsSentToday = await findEmailUsage(app.db, caller.teamId, day)
  const { messages: smsSentToday, spendUnits } = await findSmsUsage(app.db, caller.teamId, day)
  return {
    tier: { plan: caller.plan, hasOverride: Object.keys(caller.limitOverrides).length > 0 },
    limits,
    usage: {
      emailsSentToday,
      dailyEmailLimit: limits.dailyEmailLimit,
      dailyUsagePercent: percentOf(emailsSentToday, limits.dailyEmailLimit),
      resetsAt: nextMidnight(now),
      smsSentToday,
      dailySmsLimit: limits.dailySmsLimit,
      dailySmsUsagePercent: percentOf(smsSentToday, limits.dailySmsLimit),
      // Rates are whole cents, so this has two decimals.
      smsSpendToday: spendUnits / unitsPerDollar,
      dailySmsSpendLimit: limits.dailySmsSpendLimit,
    },
  }
}

/** Returns the percentage with two decimals, 0 for a limit of 0. */
function percentOf(used: number, limit: number): number {
  return limit === 0 ? 0 : Math.round((used / limit) * 10_000) / 100
}

/**
 * Returns the emails counted towards the daily limit on `day` (`2026-01-31`, UTC), 0 if the stored row is of an earlier
 * day.
 */
async function findEmailUsage(db: Db, teamId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('email_usage')
    .select('emails_today')
    .where('team_id', '=', teamId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.emails_today ?? 0
}

/** Returns the SMS counted towards the daily limits on `day`, and their billable part in hundredths of a cent. */
async function findSmsUsage(db: Db, teamId: string, day: string): Promise<{ messages: number; spendUnits: number }> {
  const row = await db
    .selectFrom('sms_usage')
    .select(['messages_today as messages', 'spend_units_today as units'])
    .where('team_id', '=', teamId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row ? { messages: row.messages, spendUnits: Number(row.units) } : { messages: 0, spendUnits: 0 }
}
