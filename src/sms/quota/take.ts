import { unitsPerCent, unitsPerDollar } from '../../billing/rate-card.ts'
import type { Limits } from '../../context.ts'
import { type DomainError, limitExceeded } from '../../platform/errors.ts'
import { dayOf } from '../../platform/time/clock.ts'

/** The use of a team on a UTC day: messages, and money in hundredths of a cent. */
export type Usage = { day: string; messages: number; units: number }

export type QuotaAnswer = { usage: Usage; refusal: DomainError | null }

/** Counts messages and their cost against the day's limits, all or none. */
export function takeQuota(
  before: Usage,
  wanted: { messages: number; units: number },
  limits: Limits,
  now: Date,
): QuotaAnswer {
  const usage = usageOn(before, now)
  const remaining = Math.max(0, limits.dailySmsLimit - usage.messages)
  if (wanted.messages > remaining) return { usage, refusal: messagesRefusal(limits, remaining) }
  if (usage.units + wanted.units > unitsOfDollars(limits.dailySmsSpendLimit)) {
    return { usage, refusal: spendRefusal(limits, usage) }
  }
  const { messages, units } = wanted
  return { usage: { day: usage.day, messages: usage.messages + messages, units: usage.units + units }, refusal: null }
}

/** Returns the usage on today's date. A clock that is set back over midnight does not grant a day's limits twice. */
function usageOn(usage: Usage, now: Date): Usage {
  const today = dayOf(now)
  return today > usage.day ? { day: today, messages: 0, units: 0 } : usage
}

function unitsOfDollars(dollars: number): number {
  return Math.round(dollars * unitsPerDollar)
}

function dollarsOfUnits(units: number): number {
  return Math.round(units / unitsPerCent) / 100
}

function messagesRefusal({ dailySmsLimit: limit }: Limits, remaining: number): DomainError {
  const message =
    limit === 0
      ? 'The plan has no SMS. Upgrade it to send some.'
      : 'The daily SMS limit of the plan is reached. It starts anew at midnight UTC.'
  return limitExceeded(message, { error: 'DAILY_SMS_LIMIT_EXCEEDED', limit, remaining })
}

function spendRefusal({ dailySmsSpendLimit: limit }: Limits, { units }: Usage): DomainError {
  const body = { error: 'DAILY_SMS_SPEND_LIMIT_EXCEEDED', spent_today: dollarsOfUnits(units), limit }
  return limitExceeded('The daily SMS spend limit would be exceeded. It starts anew at midnight UTC.', body)
}
