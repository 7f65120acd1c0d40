import Type from 'typebox'
import { planNames } from '../billing/plans.ts'
import { Resource, TextEnum, Timestamp } from '../platform/http/schema/schema.ts'

const Count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const Percent = (description: string) =>
  Type.Number({ description: `${description}; 0 where the limit is 0.`, examples: [12.5] })
const Dollars = (description: string, example: number) =>
  Type.Number({ description: `${description}, in dollars.`, examples: [example] })

const DailyEmailLimit = Count('Emails a UTC day.', 5000)
const DailySmsLimit = Count('SMS a UTC day.', 10_000)
const DailySmsSpendLimit = Dollars('What SMS may cost in a UTC day', 100)

export const RateLimits = Resource('RateLimits', {
  tier: Type.Object({
    plan: TextEnum(...planNames),
    hasOverride: Type.Boolean({ description: 'Whether an operator has changed the plan’s limits.' }),
  }),
  limits: Type.Object({
    dailyEmailLimit: DailyEmailLimit,
    emailsPerSecond: Count('Emails a second, with a burst of `batchSize`.', 50),
    apiRequestsPerMinute: Count(
      'Requests a minute, for each API key or user. Several processes that share no Redis allow as many each.',
      600,
    ),
    batchSize: Count('Emails in one batch.', 100),
    dailySmsLimit: DailySmsLimit,
    smsBatchSize: Count('SMS in one batch.', 100),
    dailySmsSpendLimit: DailySmsSpendLimit,
  }),
  usage: Type.Object({
    emailsSentToday: Count(
      'Emails that count towards the daily limit since midnight UTC: those accepted to be sent at once, and scheduled ones ' +
        'whose time came. The status `sent` is not needed: `GET /v1/metrics/emails` counts it.',
      625,
    ),
    dailyEmailLimit: DailyEmailLimit,
    dailyUsagePercent: Percent('Share of the daily email limit that is used'),
    resetsAt: Timestamp,
    smsSentToday: Count(
      'SMS that count towards the daily limit: those accepted since midnight UTC, also if they failed later. ' +
        '`GET /v1/metrics/sms` counts those with the status `sent`.',
      150,
    ),
    dailySmsLimit: DailySmsLimit,
    dailySmsUsagePercent: Percent('Share of the daily SMS limit that is used'),
    smsSpendToday: Dollars(
      'Cost of the SMS accepted since midnight UTC, without those that the provider refused',
      12.5,
    ),
    dailySmsSpendLimit: DailySmsSpendLimit,
  }),
})
