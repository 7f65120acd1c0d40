import { limitsOf } from '../billing/plans.ts'
import { unitsPerDollar } from '../billing/rate-card.ts'
import type { App, Caller } from '../context.ts'
import { dayOf, nextMidnight } from '../platform/time/clock.ts'
import { findEmailUsage, findSmsUsage } from './queries.ts'

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
