import { limitsOf } from '../billing/plans.ts'
import { unitsPerCent } from '../billing/rate-card.ts'
import type { App, Caller } from '../context.ts'
import { dayOf, nextMidnight } from '../platform/clock.ts'
import { findEmailsSentToday, findSmsUsage } from './queries.ts'

/** Rates are whole cents, so what is divided by this has two decimals. */
const unitsPerDollar = 100 * unitsPerCent

/** The limits of the caller's team and what it used of them since midnight UTC. */
export async function readRateLimits(app: App, caller: Caller) {
  const now = app.clock.now()
  const limits = limitsOf(caller)
  const day = dayOf(now)
  const emailsSentToday = await findEmailsSentToday(app.db, caller.teamId, day)
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
      smsSpendToday: spendUnits / unitsPerDollar,
      dailySmsSpendLimit: limits.dailySmsSpendLimit,
    },
  }
}

/** With two decimals; 0 of a limit of 0. */
function percentOf(used: number, limit: number): number {
  return limit === 0 ? 0 : Math.round((used / limit) * 10_000) / 100
}
