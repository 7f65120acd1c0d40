import type { PlanBounds } from '../../context.ts'
import { type DomainError, unprocessable } from '../../platform/errors.ts'

const nouns: Record<keyof PlanBounds, string> = {
  storedBytes: 'bytes of stored content',
  scheduledEmails: 'scheduled emails that wait',
  schedulesPerMinute: 'executions a minute started by schedules',
  apiKeys: 'API keys',
  domains: 'domains',
  webhookEndpoints: 'webhooks',
  members: 'members and invitations',
}

/**
 * The refusal of a request past a plan's bound. It names the limit as `posthorn team set-limits` does; `advice` says
 * what to do.
 */
export function planLimitExceeded(limit: keyof PlanBounds, max: number, advice: string): DomainError {
  const message = `The plan of this team has at most ${max.toLocaleString('en')} ${nouns[limit]} (${limit}). ${advice}, or change the plan.`
  return unprocessable('plan_limit_exceeded', message, { limit, max })
}
