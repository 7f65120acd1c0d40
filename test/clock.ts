import type { Clock } from '../src/platform/time/clock.ts'

/** A clock that tests move, so that retries, windows, midnights and delays pass at once. */
export type ManualClock = Clock & { set(at: Date | string): void; advance(ms: number): void }

/** Starts at noon UTC, so that nothing crosses a midnight by chance. */
export function manualClock(): ManualClock {
  let at = Date.parse('2030-06-15T12:00:00.000Z')
  return {
    now: () => new Date(at),
    // Never fires, so that no lease is extended between an advance of the clock and the next step of the test.
    every: () => () => undefined,
    set(to) {
      at = new Date(to).getTime()
    },
    advance(ms) {
      at += ms
    },
  }
}
