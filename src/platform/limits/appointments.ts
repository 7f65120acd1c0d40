import { createSpread } from './spread.ts'

/** Tells jobs that found every slot taken when to come back: one after the other, about as fast as slots come free. */
export type Appointments = {
  /** A whole number of milliseconds, later than `nowMs`. */
  next(nowMs: number): number
  /** Moves what is given out next closer by this factor, since the slots come free faster than was expected. */
  hasten(factor: number, nowMs: number): void
}

export type AppointmentLimits = {
  /** The time between two appointments, which may change. May be less than a millisecond. */
  spacingMs(): number
  soonestMs: number
  /** However long the line is, a job looks in again after this: spread over the second half of it. */
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
