import type { LimitOverrides, Limits, Plan } from '../context.ts'

/** Section 8 of the specification. */
const limits: Record<Plan, Limits> = {
  free: {
    dailyEmailLimit: 100,
    emailsPerSecond: 1,
    apiRequestsPerMinute: 60,
    batchSize: 10,
    dailySmsLimit: 0,
    smsBatchSize: 0,
    dailySmsSpendLimit: 0,
  },
  pro: {
    dailyEmailLimit: 5000,
    emailsPerSecond: 50,
    apiRequestsPerMinute: 600,
    batchSize: 100,
    dailySmsLimit: 10_000,
    smsBatchSize: 100,
    dailySmsSpendLimit: 100,
  },
  scale: {
    dailyEmailLimit: 20_000,
    emailsPerSecond: 200,
    apiRequestsPerMinute: 2000,
    batchSize: 100,
    dailySmsLimit: 100_000,
    smsBatchSize: 100,
    dailySmsSpendLimit: 1000,
  },
  enterprise: {
    dailyEmailLimit: 100_000,
    emailsPerSecond: 1000,
    apiRequestsPerMinute: 10_000,
    batchSize: 100,
    dailySmsLimit: 500_000,
    smsBatchSize: 100,
    dailySmsSpendLimit: 10_000,
  },
}

/** What a team may: its plan's limits with the overrides an operator set. */
export function limitsOf(team: { plan: Plan; limitOverrides: LimitOverrides }): Limits {
  return { ...limits[team.plan], ...team.limitOverrides }
}

export const planNames = Object.keys(limits) as Plan[]
export const limitNames = Object.keys(limits.free) as (keyof Limits)[]
