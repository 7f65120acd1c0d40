import { route } from '../platform/http/route.ts'
import { readRateLimits } from './read.ts'
import { RateLimits } from './schema.ts'

export const rateLimitRoutes = [
  route({
    method: 'GET',
    path: '/v1/rate-limits',
    access: 'send',
    tag: 'Rate limits',
    summary: 'The limits of the team and what is used of them',
    description:
      'Daily counters restart at midnight UTC. `hasOverride` tells whether an operator has changed the plan’s limits.',
    response: RateLimits,
    handle: ({ app, caller }) => readRateLimits(app, caller),
  }),
]
