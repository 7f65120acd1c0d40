import { limitsOf } from '../billing/plans.ts'
import type { App, Caller, Config } from '../context.ts'
import type { CountedRequest } from '../platform/http/parts.ts'
import type { RequestWindow } from '../platform/http/request-window.ts'
import { createLru } from '../platform/lru.ts'
import { networkOf } from '../platform/network/network.ts'
import { memoryCounter } from './memory-counter.ts'

declare module '../context.ts' {
  interface App {
    /** Counts a request in the current minute, for the caller, or for the address if there is none. */
    countRequest(caller: Caller | null, address: string): Promise<RequestWindow>
  }
}

const windowSeconds = 60
/** All keys and users of a team together have the limit of ten keys, so that more keys do not raise it. */
const keysPerTeam = 10
/** About 10 MB for each counter. Addresses have their own, so that a flood of them evicts no key. */
const subjectsMax = 100_000

export type RequestCounter = {
  count(app: App, caller: Caller | null, address: string, request?: CountedRequest): Promise<RequestWindow>
  /** True if requests without a known caller have passed the limit of this address in this minute. */
  isPast(app: App, address: string): boolean
  /** Says why Redis cannot be reached, within two seconds; null if it can, or if it is not configured. */
  redisFault(): Promise<string | null>
  close(): Promise<void>
}

/**
 * Counts requests in windows of one minute. API keys and users count against the plan's `apiRequestsPerMinute`, their
 * team against ten times that, and other requests by client address against `PUBLIC_REQUESTS_PER_MINUTE`. `REDIS_URL`
 * shares the counts between processes. Without it, and while Redis cannot be reached, each process counts alone.
 */
export async function createRequestCounter(config: Config): Promise<RequestCounter> {
  const callers = memoryCounter(subjectsMax)
  const teams = memoryCounter(subjectsMax)
  const addresses = memoryCounter(subjectsMax)
  /** The window in which an address was last refused. */
  const refused = createLru<number>({ countMax: subjectsMax })
  const windowOf = (app: App) => Math.floor(app.clock.now().getTime() / (windowSeconds * 1000))
  // Loaded only if configured, because most installations have one process and no Redis.
  const redis = config.redisUrl ? (await import('./redis-counter.ts')).redisCounter(config.redisUrl) : null
  let warned = false

  type Asking = { caller: Caller | null; address: string; window: number; limit: number }

  /** Counts by caller or address, then by team. Requests past a caller's own limit do not count for the team. */
  async function used(app: App, { caller, address, window, limit }: Asking): Promise<number[]> {
    const subjects = [subjectOf(caller, address)]
    const here = [(caller ? callers : addresses)(subjects[0]!, window)]
    if (caller && here[0]! <= limit) {
      subjects.push(teamSubjectOf(caller))
      here.push(teams(subjects[1]!, window))
    }
    if (!redis) return here
    try {
      const everywhere = await redis.count(subjects, window)
      warned = false
      return everywhere
    } catch (error) {
      if (!warned)
        app.log.warn({ err: error }, 'Redis cannot be reached: this process counts requests alone until it is back')
      warned = true
      return here
    }
  }
  return {
    async count(app, sender, address, { counts = true, reads = false } = {}) {
      const caller = reads ? sender : withoutExtra(sender)
      const window = windowOf(app)
      const limit = caller ? limitOf(caller) : config.publicRequestsPerMinute
      const [count, byTeam = 0] = counts ? await used(app, { caller, address, window, limit }) : [0]
      const left = limit - count!
      if (!caller && left < 0) refused.set(subjectOf(null, address), window)
      const leftOfTeam = keysPerTeam * limit - byTeam
      return {
        limit,
        remaining: Math.max(0, Math.min(left, leftOfTeam)),
        resetAtSeconds: (window + 1) * windowSeconds,
        allowed: left >= 0 && leftOfTeam >= 0,
        ...(left >= 0 && leftOfTeam < 0 && { teamLimit: keysPerTeam * limit }),
      }
    },
    isPast: (app, address) => refused.get(subjectOf(null, address)) === windowOf(app),
    redisFault: async () => redis?.fault() ?? null,
    async close() {
      redis?.close()
    },
  }
}

/** Changes of a browser count like those of an access token: with the user's other requests, at the plan's limit. */
function withoutExtra(caller: Caller | null): Caller | null {
  if (!caller?.isBrowser) return caller
  const { isBrowser, ...user } = caller
  return user
}

/** A page makes many requests for one look around, also on a plan with few. */
const browserRequestsMin = 600

function limitOf(caller: Caller): number {
  const { apiRequestsPerMinute } = limitsOf(caller)
  return caller.isBrowser ? Math.max(browserRequestsMin, apiRequestsPerMinute) : apiRequestsPerMinute
}

/**
 * Returns the subject a request counts for: the API key, the user, or else the client address. What a user's browser
 * sessions read counts together, apart from the user's other requests.
 */
function subjectOf(caller: Caller | null, address: string): string {
  if (!caller) return `address:${networkOf(address)}`
  return `${caller.isBrowser ? 'browser' : caller.kind}:${caller.id}`
}

/** Returns the subject that all callers of a team count for together. What browser sessions read has one of its own. */
function teamSubjectOf({ teamId, isBrowser }: Caller): string {
  return `${isBrowser ? 'browsers' : 'team'}:${teamId}`
}
