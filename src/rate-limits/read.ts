import { limitsOf } from '../billing/plans.ts'
import type { App, Caller } from '../context.ts'
import { dayOf, nextMidnight } from '../platform/clock.ts'
import { findEmailsSentToday } from './queries.ts'

/** The limits of the caller's team and what it used of them since midnight UTC. */
export async function readRateLimits(app: App, caller: Caller) {
  const now = app.clock.now()
  const limits = limitsOf(caller)
  const emailsSentToday = await findEmailsSentToday(app.db, caller.teamId, dayOf(now))
  // Nothing sends SMS in this version.
  const smsSentToday = 0
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
      smsSpendToday: 0,
      dailySmsSpendLimit: limits.dailySmsSpendLimit,
    },
  }
}

/** With two decimals; 0 of a limit of 0. */
function percentOf(used: number, limit: number): number {
  return limit === 0 ? 0 : Math.round((used / limit) * 10_000) / 100
}
