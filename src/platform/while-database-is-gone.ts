import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseGone } from './db.ts'
import { unavailable } from './errors.ts'

/** What a provider has done cannot be undone: its record waits this long for the database. */
const keepTryingMs = 60_000
const pauseMs = 250
/** A caller is told within 10 s that the database is gone. */
const callerWaitsMs = 8000

/** Tries to record until the database is back, for a minute. */
export async function whileDatabaseIsGone<T>(record: () => Promise<T>): Promise<T> {
  for (const start = performance.now(); ; await sleep(pauseMs)) {
    try {
      return await record()
    } catch (error) {
      if (!isDatabaseGone(error) || performance.now() - start > keepTryingMs) throw error
    }
  }
}

/** What was recorded; throws `unavailable` where that takes longer than a caller waits, and it goes on without them. */
export async function boundedWait<T>(recording: Promise<T>): Promise<T> {
  // It may fail after nobody waits any more; then the lease runs out and a worker takes over.
  recording.catch(() => undefined)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable('The database cannot be reached at the moment.')), callerWaitsMs)
  return Promise.race([recording, late]).finally(() => clearTimeout(timer))
}
