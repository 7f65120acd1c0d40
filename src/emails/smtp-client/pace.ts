/** Remembers that a host follows a session only if each command waits for the answer to the one before. */
export type Pace = {
  readonly isSlow: boolean
  slowDown(): void
}

/** The host may have been mended or replaced meanwhile, and pipelining saves several round trips for each message. */
const slowMs = 3_600_000

/** Creates the memory of one host, which all connections to it share. */
export function createPace(): Pace {
  let slowUntil = 0
  return {
    get isSlow() {
      return performance.now() < slowUntil
    },
    slowDown() {
      slowUntil = performance.now() + slowMs
    },
  }
}
