import { limitsOf } from '../billing/plans.ts'
import type { Config } from '../config.ts'
import type { App, Caller } from '../context.ts'
import type { RequestWindow } from '../platform/http/server.ts'
import { memoryCounter } from './memory-counter.ts'
import { subjectOf } from './subject.ts'

const windowSeconds = 60
/** About 10 MB each; apart, so that a flood of addresses pushes no key out. */
const subjectsMax = 100_000

export type RequestCounter = {
  count(app: App, caller: Caller | null, address: string, counts?: boolean): Promise<RequestWindow>
  close(): Promise<void>
}

/**
 * Counts requests in windows of one minute of the clock: by API key or user against the plan's `apiRequestsPerMinute`,
 * else by client address against `PUBLIC_REQUESTS_PER_MINUTE`. With `REDIS_URL` the counts are shared; while Redis is
 * out of reach each process counts for itself.
 */
export async function createRequestCounter(config: Config): Promise<RequestCounter> {
  const callers = memoryCounter(subjectsMax)
  const addresses = memoryCounter(subjectsMax)
  // Loaded where it is used: most installations have one process and no Redis.
  const redis = config.redisUrl ? (await import('./redis-counter.ts')).redisCounter(config.redisUrl) : null
  let warned = false

  async function used(app: App, caller: Caller | null, address: string, window: number): Promise<number> {
    const subject = subjectOf(caller, address)
    const here = (caller ? callers : addresses)(subject, window)
    if (!redis) return here
    try {
      const everywhere = await redis.count(subject, window)
      warned = false
      return everywhere
    } catch (error) {
      if (!warned)
        app.log.warn({ err: error }, 'Redis is out of reach: this process counts requests by itself until it is back')
      warned = true
      return here
    }
  }
  return {
    async count(app, caller, address, counts = true) {
      const window = Math.floor(app.clock.now().getTime() / (windowSeconds * 1000))
      const limit = caller ? limitsOf(caller).apiRequestsPerMinute : config.publicRequestsPerMinute
      const count = counts ? await used(app, caller, address, window) : 0
      return {
        limit,
        remaining: Math.max(0, limit - count),
        resetAtSeconds: (window + 1) * windowSeconds,
        allowed: count <= limit,
      }
    },
    async close() {
      redis?.close()
    },
  }
}
