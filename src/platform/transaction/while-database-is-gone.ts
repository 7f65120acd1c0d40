import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { unavailable } from '../errors.ts'
import { isDatabaseGone } from '../sql/gone.ts'

/** The record of a workflow's step waits for this long. So does that of a provider's answer in a process that stops. */
const usualMs = 60_000
const pauseMs = 250
/** Less than the 10 s within which a caller is told that the database is out of reach. */
const callerWaitsMs = 8000

/** Repeats `record` while the database is out of reach, for `keepTryingMs` at most. Other errors are thrown at once. */
export function whileDatabaseIsGone<T>(record: () => Promise<T>, keepTryingMs = usualMs): Promise<T> {
  return repeat(record, (triedMs) => triedMs > keepTryingMs)
}

/**
 * Repeats the record of a provider's answer until the database is back, because the answer cannot be asked for again.
 * The caller bounds how many wait. In a process that stops it ends after a minute, counted from the first try, or with
 * the process.
 */
export function untilDatabaseIsBack<T>(app: Pick<App, 'isDraining'>, record: () => Promise<T>): Promise<T> {
  return repeat(record, (triedMs) => triedMs > usualMs && app.isDraining())
}

async function repeat<T>(record: () => Promise<T>, isOver: (triedMs: number) => boolean): Promise<T> {
  for (const start = performance.now(); ; await sleep(pauseMs)) {
    try {
      return await record()
    } catch (error) {
      if (!isDatabaseGone(error) || isOver(performance.now() - start)) throw error
    }
  }
}

/**
 * Waits 8 s for `recording`, then returns what `late` returns or throws; by default it throws `unavailable`. The
 * recording continues.
 */
export async function boundedWait<T>(recording: Promise<T>, late: () => T | Promise<T> = refuseLate): Promise<T> {
  // A failure after the wait ended is not seen here: the lease runs out and a worker takes over.
  recording.catch(() => undefined)
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, callerWaitsMs)
  return Promise.race([recording, isLate.then(late)]).finally(() => clearTimeout(timer))
}

function refuseLate(): never {
  throw unavailable('The database cannot be reached at the moment.')
}
