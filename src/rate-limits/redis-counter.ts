import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** Longer than the time limit of a connection. */
const faultMaxMs = 2000

type RedisCounter = {
  /** Returns counts in the order of the subjects. Rejects within a quarter of a second if Redis cannot be reached. */
  count(subjects: string[], window: number): Promise<number[]>
  /** Waits for the first attempt to connect. Says why it failed, or null. */
  fault(): Promise<string | null>
  close(): void
}

/** Creates a counter that all processes with the same Redis share. */
export function redisCounter(url: string): RedisCounter {
  const redis = new Redis(url, {
    connectTimeout: 1000,
    commandTimeout: 250,
    // A request does not wait for a reconnection; it is counted in memory meanwhile.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  // The failed count reports the error. Without a listener the process would exit.
  let lastError: Error | null = null
  redis.on('error', (error) => {
    lastError = error
  })
  return {
    async count(subjects, window) {
      try {
        const pipeline = redis.pipeline()
        for (const subject of subjects) {
          const key = `posthorn:requests:${window}:${subject}`
          pipeline.incr(key).expire(key, 120)
        }
        const replies = await pipeline.exec()
        return subjects.map((_, index) => {
          const [error, used] = replies?.[2 * index] ?? [new Error('no reply'), null]
          if (error) throw error
          return Number(used)
        })
      } catch (error) {
        // A Redis that accepts connections but does not answer would delay every request, so it is not asked until it
        // reconnects.
        if (redis.status === 'ready') redis.disconnect(true)
        throw error
      }
    },
    async fault() {
      const connected = redis.status === 'ready' ? true : once(redis, 'ready').then(() => true)
      const failed = lastError ?? once(redis, 'close')
      const isReady = await Promise.race([connected, failed, sleep(faultMaxMs, null, { ref: false })]).catch(() => null)
      return isReady === true ? null : (lastError?.message ?? 'no answer')
    },
    close: () => redis.disconnect(),
  }
}
