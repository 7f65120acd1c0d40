import { route } from '../platform/http/route.ts'
import { readRateLimits } from './read.ts'
import { RateLimits } from './schema.ts'

export const rateLimitRoutes = [
  route('GET /v1/rate-limits', 'getRateLimits', {
    sdk: 'limits.get',
    access: 'send',
    inTest: 'shared',
    tag: 'Rate limits',
    summary: 'The limits of the team and what is used of them',
    description:
      'Daily counters restart at midnight UTC, and are exact with any number of processes. They count what was accepted, ' +
      'whatever became of it; the figures of `/v1/metrics` count what was sent. `hasOverride` tells whether an operator ' +
      'has changed the plan’s limits.',
    response: RateLimits,
    handle: ({ app, caller }) => readRateLimits(app, caller),
  }),
]
