import type { Limits, Plan } from '../context.ts'
import type { Terms } from '../teams/queries.ts'
import { unitsPerCent } from './rate-card.ts'

type PlanTerms = { name: string; monthlyPrice: number; monthlySmsCreditCents: number; limits: Limits }

/** The plans as `GET /v1/billing/plans` shows them. Prices are in dollars. */
export const plans: Record<Plan, PlanTerms> = {
  free: {
    name: 'Free',
    monthlyPrice: 0,
    monthlySmsCreditCents: 0,
    limits: {
      dailyEmailLimit: 100,
      emailsPerSecond: 1,
      apiRequestsPerMinute: 60,
      batchSize: 10,
      dailySmsLimit: 0,
      smsBatchSize: 0,
      dailySmsSpendLimit: 0,
    },
  },
  pro: {
    name: 'Pro',
    monthlyPrice: 29,
    monthlySmsCreditCents: 200,
    limits: {
      dailyEmailLimit: 5000,
      emailsPerSecond: 50,
      apiRequestsPerMinute: 600,
      batchSize: 100,
      dailySmsLimit: 10_000,
      smsBatchSize: 100,
      dailySmsSpendLimit: 100,
    },
  },
  scale: {
    name: 'Scale',
    monthlyPrice: 99,
    monthlySmsCreditCents: 2000,
    limits: {
      dailyEmailLimit: 20_000,
      emailsPerSecond: 200,
      apiRequestsPerMinute: 2000,
      batchSize: 100,
      dailySmsLimit: 100_000,
      smsBatchSize: 100,
      dailySmsSpendLimit: 1000,
    },
  },
  enterprise: {
    name: 'Enterprise',
    monthlyPrice: 499,
    monthlySmsCreditCents: 8000,
    limits: {
      dailyEmailLimit: 100_000,
      emailsPerSecond: 1000,
      apiRequestsPerMinute: 10_000,
      batchSize: 100,
      dailySmsLimit: 500_000,
      smsBatchSize: 100,
      dailySmsSpendLimit: 10_000,
    },
  },
}

/** The limits of a team: its plan's, with the overrides that an operator set. */
export function limitsOf({ plan, limitOverrides }: Terms): Limits {
  return { ...plans[plan].limits, ...limitOverrides }
}

/** A team may schedule the emails of ten days, unless an operator set another number. */
const scheduledDays = 10

/** Returns the number of scheduled emails that may wait at the same time. */
export function scheduledEmailsMax(team: Terms): number {
  return team.limitOverrides.scheduledEmails ?? scheduledDays * limitsOf(team).dailyEmailLimit
}

/** The SMS credit with which a period of the plan begins, in hundredths of a cent. */
export function creditUnitsOf(plan: Plan): number {
  return plans[plan].monthlySmsCreditCents * unitsPerCent
}

export const planNames = Object.keys(plans) as Plan[]
export const limitNames = Object.keys(plans.free.limits) as (keyof Limits)[]
