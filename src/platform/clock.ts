/** The only clock: due times, leases, windows, midnights and timestamps are compared with it. */
export type Clock = {
  now(): Date
  /** Calls `work` every `ms`, and returns a function that ends this. Does not keep the process alive. */
  every(ms: number, work: () => void): () => void
}

/**
 * The system's clock, shifted by its difference from the database's clock. Processes on several machines compare leases in
 * one database, so the database's clock counts.
 */
export type SystemClock = Clock & { shiftBy(offsetMs: number): void }

export function systemClock(): SystemClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    every(ms, work) {
      const timer = setInterval(work, ms).unref()
      return () => clearInterval(timer)
    },
    shiftBy(offsetMs) {
      offset = offsetMs
    },
  }
}

/** Returns the midnight UTC that ends the day of `at`, when daily counters start again. */
export function nextMidnight(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
}

/** Returns the UTC day of `at`, as `2026-01-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
