import type { LimitOverrides, Plan, PlanBounds } from '../../context.ts'

const gibibyte = 1024 ** 3

/**
 * Bounds that depend on the plan alone. The bound of scheduled emails depends on the daily limit (`billing/plans.ts`).
 */
type FixedBounds = Omit<PlanBounds, 'scheduledEmails'>

/**
 * The bounds of each plan. Ordinary use stays far below them; a hostile team cannot take what others need.
 * - `storedBytes`: about three years of the plan's daily emails at 10 kB each.
 * - `schedulesPerMinute`: on Free ten workflows that run every minute, or fifty that run every five.
 * - `apiKeys`: each has a request limit of its own.
 * - `domains`: making the keys of one takes a tenth of a second of a processor.
 * - `webhookEndpoints`: each event of the team is posted to each of them.
 * - `members`: each has a request limit of its own, and each invitation may be mailed.
 */
const boundsOfPlans: Record<Plan, FixedBounds> = {
  free: { storedBytes: gibibyte, schedulesPerMinute: 10, apiKeys: 100, domains: 25, webhookEndpoints: 10, members: 10 },
  pro: {
    storedBytes: 50 * gibibyte,
    schedulesPerMinute: 60,
    apiKeys: 500,
    domains: 100,
    webhookEndpoints: 50,
    members: 50,
  },
  scale: {
    storedBytes: 200 * gibibyte,
    schedulesPerMinute: 300,
    apiKeys: 1000,
    domains: 1000,
    webhookEndpoints: 100,
    members: 250,
  },
  enterprise: {
    storedBytes: 1024 * gibibyte,
    schedulesPerMinute: 1200,
    apiKeys: 5000,
    domains: 5000,
    webhookEndpoints: 100,
    members: 1000,
  },
}

/** The stored bytes of each plan as JSON, for comparisons in the database. */
export const storedBytesOfPlans = JSON.stringify(
  Object.fromEntries(Object.entries(boundsOfPlans).map(([plan, { storedBytes }]) => [plan, storedBytes])),
)

/** Returns the bounds of a team's plan with the overrides that an operator set. */
export function boundsOf({ plan, limitOverrides }: { plan: Plan; limitOverrides: LimitOverrides }): FixedBounds {
  return { ...boundsOfPlans[plan], ...limitOverrides }
}

export const boundNames: readonly (keyof PlanBounds)[] = [
  'storedBytes',
  'scheduledEmails',
  'schedulesPerMinute',
  'apiKeys',
  'domains',
  'webhookEndpoints',
  'members',
]
