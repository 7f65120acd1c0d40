import type { Limits, PlanBounds } from '../../context.ts'
import { type DomainError, limitExceeded, rateLimited } from '../../platform/errors.ts'
import { dayOf, nextMidnight } from '../../platform/time/clock.ts'
import { planLimitExceeded } from '../../teams/bounds/plan-limit-exceeded.ts'
import { storageFull } from '../../teams/bounds/refuse-storage.ts'

/** The use of a team: emails of the UTC day, tokens left in its bucket of emails per second, and stored bytes. */
export type Usage = {
  day: string
  emailsToday: number
  bucketTokens: number
  bucketAt: Date
  /** Scheduled emails that are not due yet. */
  scheduledEmails: number
  storedBytes: number
}

/** The amount that an email or a batch takes: `count` emails of the day and the second. */
export type Wanted = {
  count: number
  limits: Limits
  /** The change of the number of scheduled emails; -1 if one is no longer scheduled. */
  scheduledEmails?: number
  storedBytes?: number
  /** The bounds of the team, if something is added. */
  bounds?: EmailBounds
}
export type EmailBounds = Pick<PlanBounds, 'scheduledEmails' | 'storedBytes'>

type QuotaAnswer = { usage: Usage; refusal: DomainError | null; retryAt: Date | null }

/**
 * Takes `count` emails from the day's limit and the per-second bucket, and space for the stored bytes, all or nothing.
 * The bucket fills at `emailsPerSecond` and holds a batch.
 */
export function takeQuota(before: Usage, wanted: Wanted, now: Date): QuotaAnswer {
  const { count, limits, scheduledEmails = 0, storedBytes = 0 } = wanted
  const usage = refill(before, limits, now)
  const remaining = Math.max(0, limits.dailyEmailLimit - usage.emailsToday)
  if (count > remaining) return { usage, refusal: dailyRefusal(limits, remaining, now), retryAt: nextMidnight(now) }
  if (count > usage.bucketTokens) {
    const waitSeconds = Math.max(0.05, (count - usage.bucketTokens) / Math.max(limits.emailsPerSecond, 0.001))
    const refusal = rateLimited(
      `More than ${limits.emailsPerSecond} emails a second. Wait ${Math.ceil(waitSeconds)} s.`,
      Math.ceil(waitSeconds),
    )
    return { usage, refusal, retryAt: new Date(now.getTime() + waitSeconds * 1000) }
  }
  const refusal = boundRefusal(usage, wanted)
  if (refusal) return { usage, refusal, retryAt: null }
  const taken = {
    ...usage,
    emailsToday: usage.emailsToday + count,
    bucketTokens: usage.bucketTokens - count,
    scheduledEmails: Math.max(0, usage.scheduledEmails + scheduledEmails),
    storedBytes: usage.storedBytes + storedBytes,
  }
  return { usage: taken, refusal: null, retryAt: null }
}

function boundRefusal(usage: Usage, { scheduledEmails = 0, storedBytes = 0, bounds }: Wanted): DomainError | null {
  if (!bounds) return null
  if (scheduledEmails > 0 && usage.scheduledEmails + scheduledEmails > bounds.scheduledEmails) {
    const advice = `${usage.scheduledEmails.toLocaleString('en')} are waiting. Cancel some, or schedule these later`
    return planLimitExceeded('scheduledEmails', bounds.scheduledEmails, advice)
  }
  const isFull = storedBytes > 0 && usage.storedBytes + storedBytes > bounds.storedBytes
  return isFull ? storageFull(bounds.storedBytes) : null
}

export type PartialAnswer = {
  usage: Usage
  granted: number
  /** When to ask for the rest. `isDaily` is true if the rest waits for the day's limit. Null if all were granted. */
  rest: { at: Date; isDaily: boolean } | null
}

/**
 * Takes as many of `wanted` as fit. A tenth of the bucket is reserved, so that single emails are not refused while a
 * broadcast is sent. This does not lower the rate.
 */
export function takeSome(before: Usage, wanted: number, limits: Limits, now: Date): PartialAnswer {
  const usage = refill(before, limits, now)
  const remaining = Math.max(0, limits.dailyEmailLimit - usage.emailsToday)
  const reserve = Math.floor(burst(limits) / 10)
  const tokens = Math.max(0, Math.floor(usage.bucketTokens - reserve))
  const granted = Math.min(wanted, remaining, tokens)
  const bucketTokens = usage.bucketTokens - granted
  const taken = { ...usage, emailsToday: usage.emailsToday + granted, bucketTokens }
  if (granted === wanted) return { usage: taken, granted, rest: null }
  if (granted === remaining) return { usage: taken, granted, rest: { at: nextMidnight(now), isDaily: true } }
  // Waits for half a bucket, because asking for each token would cost too much.
  const worthwhile = Math.min(wanted - granted, Math.ceil((burst(limits) - reserve) / 2))
  const missing = worthwhile + reserve - bucketTokens
  const waitSeconds = Math.max(0.05, missing / Math.max(limits.emailsPerSecond, 0.001))
  return { usage: taken, granted, rest: { at: new Date(now.getTime() + waitSeconds * 1000), isDaily: false } }
}

/** Returns the usage of a team that has sent nothing yet. */
export function freshUsage(limits: Limits, now: Date): Usage {
  const held = { scheduledEmails: 0, storedBytes: 0 }
  return { day: dayOf(now), emailsToday: 0, bucketTokens: burst(limits), bucketAt: now, ...held }
}

/** Returns how many emails of a second a team has left, and how many it can have at most. */
export function emailsLeftNow(usage: Usage, limits: Limits, now: Date): { left: number; most: number } {
  return { left: refill(usage, limits, now).bucketTokens, most: burst(limits) }
}

function burst(limits: Limits): number {
  return Math.max(limits.batchSize, 1)
}

function refill(usage: Usage, limits: Limits, now: Date): Usage {
  const seconds = Math.max(0, (now.getTime() - usage.bucketAt.getTime()) / 1000)
  const bucketTokens = Math.min(burst(limits), usage.bucketTokens + seconds * limits.emailsPerSecond)
  const today = dayOf(now)
  // A clock that is set back past midnight must not give the day's limit twice.
  const isNewDay = today > usage.day
  return {
    ...usage,
    day: isNewDay ? today : usage.day,
    emailsToday: isNewDay ? 0 : usage.emailsToday,
    bucketTokens,
    bucketAt: now > usage.bucketAt ? now : usage.bucketAt,
  }
}

function dailyRefusal(limits: Limits, remaining: number, now: Date): DomainError {
  const body = { error: 'DAILY_EMAIL_LIMIT_EXCEEDED', limit: limits.dailyEmailLimit, remaining }
  const waitSeconds = (nextMidnight(now).getTime() - now.getTime()) / 1000
  return limitExceeded(
    'The daily email limit of the plan is reached. It starts anew at midnight UTC.',
    body,
    waitSeconds,
  )
}
