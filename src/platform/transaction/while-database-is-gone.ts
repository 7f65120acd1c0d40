import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../errors.ts'
import { isDatabaseGone } from '../sql/db.ts'

/** A provider's answer cannot be taken back, so its record waits this long for the database. */
const usualMs = 60_000
const pauseMs = 250
/** Less than the 10 s within which a caller is told that the database is out of reach. */
const callerWaitsMs = 8000

/** Repeats `record` while the database is out of reach, for `keepTryingMs` at most. Other errors are thrown at once. */
export async function whileDatabaseIsGone<T>(record: () => Promise<T>, keepTryingMs = usualMs): Promise<T> {
  for (const start = performance.now(); ; await sleep(pauseMs)) {
    try {
      return await record()
    } catch (error) {
      if (!isDatabaseGone(error) || performance.now() - start > keepTryingMs) throw error
    }
  }
}

/** Waits 8 s for `recording`, then throws `unavailable`. The recording continues. */
export async function boundedWait<T>(recording: Promise<T>): Promise<T> {
  // A failure after the wait ended is not seen here: the lease runs out and a worker takes over.
  recording.catch(() => undefined)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable('The database cannot be reached at the moment.')), callerWaitsMs)
  return Promise.race([recording, late]).finally(() => clearTimeout(timer))
}
