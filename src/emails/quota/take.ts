import type { Limits } from '../../context.ts'
import { dayOf, nextMidnight } from '../../platform/clock.ts'
import { type DomainError, limitExceeded, rateLimited } from '../../platform/errors.ts'

/** What a team has used: emails of the UTC day, and the tokens left in its bucket of emails per second. */
export type Usage = { day: string; emailsToday: number; bucketTokens: number; bucketAt: Date }

export type QuotaAnswer = { usage: Usage; refusal: DomainError | null; retryAt: Date | null }

/**
 * Takes `count` emails out of the day's limit and the per-second bucket, whole or not at all. The bucket fills at
 * `emailsPerSecond` and holds a batch.
 */
export function takeQuota(before: Usage, count: number, limits: Limits, now: Date): QuotaAnswer {
  const usage = refill(before, limits, now)
  const remaining = Math.max(0, limits.dailyEmailLimit - usage.emailsToday)
  if (count > remaining) return { usage, refusal: dailyRefusal(limits, remaining), retryAt: nextMidnight(now) }
  if (count > usage.bucketTokens) {
    const waitSeconds = Math.max(0.05, (count - usage.bucketTokens) / Math.max(limits.emailsPerSecond, 0.001))
    const refusal = rateLimited(
      `More than ${limits.emailsPerSecond} emails a second. Wait ${Math.ceil(waitSeconds)} s.`,
      Math.ceil(waitSeconds),
    )
    return { usage, refusal, retryAt: new Date(now.getTime() + waitSeconds * 1000) }
  }
  const taken = { ...usage, emailsToday: usage.emailsToday + count, bucketTokens: usage.bucketTokens - count }
  return { usage: taken, refusal: null, retryAt: null }
}

/** A team that has sent nothing yet. */
export function freshUsage(limits: Limits, now: Date): Usage {
  return { day: dayOf(now), emailsToday: 0, bucketTokens: burst(limits), bucketAt: now }
}

function burst(limits: Limits): number {
  return Math.max(limits.batchSize, 1)
}

function refill(usage: Usage, limits: Limits, now: Date): Usage {
  const seconds = Math.max(0, (now.getTime() - usage.bucketAt.getTime()) / 1000)
  const bucketTokens = Math.min(burst(limits), usage.bucketTokens + seconds * limits.emailsPerSecond)
  const today = dayOf(now)
  // A clock that stepped back over midnight must not give the day's limit twice.
  const isNewDay = today > usage.day
  return {
    day: isNewDay ? today : usage.day,
    emailsToday: isNewDay ? 0 : usage.emailsToday,
    bucketTokens,
    bucketAt: now > usage.bucketAt ? now : usage.bucketAt,
  }
}

function dailyRefusal(limits: Limits, remaining: number): DomainError {
  const body = { error: 'DAILY_EMAIL_LIMIT_EXCEEDED', limit: limits.dailyEmailLimit, remaining }
  return limitExceeded('The daily email limit of the plan is reached. It starts anew at midnight UTC.', body)
}
