/** The one clock: due times, leases, windows, midnights and stamps all compare with it. */
export type Clock = { now(): Date }

/**
 * The system's clock, shifted by what the database's clock was found to differ. Processes on several machines share
 * one database and compare leases with each other, so its clock is the one that counts.
 */
export type SystemClock = Clock & { shiftBy(offsetMs: number): void }

export function systemClock(): SystemClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    shiftBy(offsetMs) {
      offset = offsetMs
    },
  }
}

/** Midnight UTC that ends the day of `at`: when the daily counters start anew. */
export function nextMidnight(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
}

/** The UTC day of `at`, as `2026-01-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
