import { createSpread } from './spread.ts'

/**
 * Gives times at which jobs that found no free slot may try again: one after the other, about as fast as slots become
 * free.
 */
type Appointments = {
  /** A whole number of milliseconds, later than `nowMs`. */
  next(nowMs: number): number
  /** Moves the next times closer by this factor, because slots become free faster than expected. */
  hasten(factor: number, nowMs: number): void
}

type AppointmentLimits = {
  /** The time between two appointments, which may change. May be less than a millisecond. */
  spacingMs(): number
  soonestMs: number
  /** The longest time until a job tries again. Such times are spread over its second half. */
  latestMs: number
}

export function createAppointments({ spacingMs, soonestMs, latestMs }: AppointmentLimits): Appointments {
  let endOfLineMs = 0
  const lookInAgain = createSpread(latestMs / 2)
  return {
    next(nowMs) {
      endOfLineMs = Math.max(endOfLineMs + spacingMs(), nowMs + soonestMs)
      if (endOfLineMs <= nowMs + latestMs) return Math.ceil(endOfLineMs)
      endOfLineMs = nowMs + latestMs
      return Math.ceil(lookInAgain(nowMs + latestMs / 2))
    },
    hasten(factor, nowMs) {
      if (endOfLineMs > nowMs) endOfLineMs = nowMs + (endOfLineMs - nowMs) * factor
    },
  }
}
