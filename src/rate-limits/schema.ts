import Type from 'typebox'
import { planNames } from '../billing/plans.ts'
import { TextEnum, Timestamp } from '../platform/http/schema.ts'

const Count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const Percent = (description: string) =>
  Type.Number({ description: `${description}; 0 where the limit is 0.`, examples: [12.5] })
const Dollars = (description: string, example: number) =>
  Type.Number({ description: `${description}, in dollars.`, examples: [example] })

const DailyEmailLimit = Count('Emails a UTC day.', 5000)
const DailySmsLimit = Count('SMS a UTC day.', 10_000)
const DailySmsSpendLimit = Dollars('What SMS may cost in a UTC day', 100)

export const RateLimits = Type.Object({
  tier: Type.Object({
    plan: TextEnum(...planNames),
    hasOverride: Type.Boolean({ description: 'Whether an operator has changed the plan’s limits.' }),
  }),
  limits: Type.Object({
    dailyEmailLimit: DailyEmailLimit,
    emailsPerSecond: Count('Emails a second, with a burst of `batchSize`.', 50),
    apiRequestsPerMinute: Count('Requests a minute, for each API key or user.', 600),
    batchSize: Count('Emails in one batch.', 100),
    dailySmsLimit: DailySmsLimit,
    smsBatchSize: Count('SMS in one batch.', 100),
    dailySmsSpendLimit: DailySmsSpendLimit,
  }),
  usage: Type.Object({
    emailsSentToday: Count('Emails sent since midnight UTC.', 625),
    dailyEmailLimit: DailyEmailLimit,
    dailyUsagePercent: Percent('Share of the daily email limit that is used'),
    resetsAt: Timestamp,
    smsSentToday: Count('SMS sent since midnight UTC.', 150),
    dailySmsLimit: DailySmsLimit,
    dailySmsUsagePercent: Percent('Share of the daily SMS limit that is used'),
    smsSpendToday: Dollars('Billable SMS since midnight UTC', 12.5),
    dailySmsSpendLimit: DailySmsSpendLimit,
  }),
})
