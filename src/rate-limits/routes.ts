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
      'Daily counters start anew at midnight UTC. An operator may have set limits other than the plan’s: `hasOverride`.',
    response: RateLimits,
    handle: ({ app, caller }) => readRateLimits(app, caller),
  }),
]
