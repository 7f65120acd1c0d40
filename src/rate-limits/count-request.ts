import { limitsOf } from '../billing/plans.ts'
import type { Config } from '../config.ts'
import type { App, Caller } from '../context.ts'
import type { RequestWindow } from '../platform/http/server.ts'
import { memoryCounter } from './memory-counter.ts'
import { subjectOf, teamSubjectOf } from './subject.ts'

const windowSeconds = 60
/** All keys and users of a team together may ask as often as so many keys: more keys are no way around the limit. */
export const keysPerTeam = 10
/** About 10 MB each; apart, so that a flood of addresses pushes no key out. */
const subjectsMax = 100_000

export type RequestCounter = {
  count(app: App, caller: Caller | null, address: string, counts?: boolean): Promise<RequestWindow>
  close(): Promise<void>
}

/**
 * Counts requests in windows of one minute of the clock: by API key or user against the plan's `apiRequestsPerMinute`, and
 * by team against ten times that; else by client address against `PUBLIC_REQUESTS_PER_MINUTE`. With `REDIS_URL` the counts
 * are shared; while Redis is out of reach each process counts for itself.
 */
export async function createRequestCounter(config: Config): Promise<RequestCounter> {
  const callers = memoryCounter(subjectsMax)
  const teams = memoryCounter(subjectsMax)
  const addresses = memoryCounter(subjectsMax)
  // Loaded where it is used: most installations have one process and no Redis.
  const redis = config.redisUrl ? (await import('./redis-counter.ts')).redisCounter(config.redisUrl) : null
  let warned = false

  type Asking = { caller: Caller | null; address: string; window: number; limit: number }

  /** By the caller, or the address, and by the team. What a caller asks beyond its own limit takes nothing from the others. */
  async function used(app: App, { caller, address, window, limit }: Asking): Promise<number[]> {
    const subjects = [subjectOf(caller, address)]
    const here = [(caller ? callers : addresses)(subjects[0]!, window)]
    if (caller && here[0]! <= limit) {
      subjects.push(teamSubjectOf(caller))
      here.push(teams(caller.teamId, window))
    }
    if (!redis) return here
    try {
      const everywhere = await redis.count(subjects, window)
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
      const [count, byTeam = 0] = counts ? await used(app, { caller, address, window, limit }) : [0]
      const left = limit - count!
      const leftOfTeam = keysPerTeam * limit - byTeam
      return {
        limit,
        remaining: Math.max(0, Math.min(left, leftOfTeam)),
        resetAtSeconds: (window + 1) * windowSeconds,
        allowed: left >= 0 && leftOfTeam >= 0,
        ...(left >= 0 && leftOfTeam < 0 && { teamLimit: keysPerTeam * limit }),
      }
    },
    async close() {
      redis?.close()
    },
  }
}
