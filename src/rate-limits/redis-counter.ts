import { Redis } from 'ioredis'

export type RedisCounter = {
  /** In the order of the subjects. Rejects where Redis is out of reach, at once or after a quarter of a second. */
  count(subjects: string[], window: number): Promise<number[]>
  close(): void
}

/** Counts shared by every process that names the same Redis. */
export function redisCounter(url: string): RedisCounter {
  const redis = new Redis(url, {
    connectTimeout: 1000,
    commandTimeout: 250,
    // A request never waits for a reconnection: it is counted in memory meanwhile.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  // What went wrong is told by the count that failed; without a listener the process would end.
  redis.on('error', () => undefined)
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
        // One that takes connections and answers nothing would delay every request: until it answers anew, none is asked.
        if (redis.status === 'ready') redis.disconnect(true)
        throw error
      }
    },
    close: () => redis.disconnect(),
  }
}
