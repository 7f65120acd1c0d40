/** The only clock: due times, leases, windows, midnights and timestamps are compared with it. */
export type Clock = {
  now(): Date
  /** Calls `work` every `ms`, and returns a function that ends this. Does not keep the process alive. */
  every(ms: number, work: () => void): () => void
}

/**
 * The machine's two clocks, in milliseconds: `host` since 1970, which an operator may set, and `monotonic`, which only
 * goes on.
 */
type MachineClocks = { host(): number; monotonic(): number }

const machineClocks: MachineClocks = { host: () => Date.now(), monotonic: () => performance.now() }

/**
 * The database's time. Processes on several machines compare leases in one database, so its clock counts. Between two
 * questions to the database the monotonic clock goes on, so a step of the host's clock changes nothing.
 */
export type SystemClock = Clock & {
  /** Milliseconds since 1970, as `now`, but without standing still. */
  reading(): number
  shiftBy(ms: number): void
  machine: MachineClocks
}

/** After a correction backwards by less than this, the clock stands still until it has caught up. */
const standStillMaxMs = 1000

/** Begins with the time of the host, which `syncClock` corrects. */
export function systemClock(machine = machineClocks): SystemClock {
  let ahead = machine.host() - machine.monotonic()
  let latest = Number.NEGATIVE_INFINITY
  const reading = () => machine.monotonic() + ahead
  return {
    now() {
      const at = reading()
      if (at > latest || at < latest - standStillMaxMs) latest = at
      return new Date(latest)
    },
    every(ms, work) {
      const timer = setInterval(work, ms).unref()
      return () => clearInterval(timer)
    },
    reading,
    shiftBy(ms) {
      ahead += ms
    },
    machine,
  }
}

/** The time of files, which has the steps of the host's clock. */
export function hostNow(): Date {
  return new Date(machineClocks.host())
}

/** Returns the midnight UTC that ends the day of `at`, when daily counters start again. */
export function nextMidnight(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1))
}

/** Returns the UTC day of `at`, as `2026-01-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
