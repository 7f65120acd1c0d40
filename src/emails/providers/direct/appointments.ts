import { createSpread } from './spread.ts'

/** All of these lean to the low side: who comes too early comes once more, who comes too late leaves a place empty. */
const firstGuessMs = 20
const overbooking = 0.7
/** Of the newest message's time in the average. */
const weightOfFaster = 0.3
const weightOfSlower = 0.03
/** However long the line is, a job looks in again after this. */
const waitMaxMs = 20_000

export type Appointments = {
  /** When whoever finds all places taken may come again. */
  next(nowMs: number): number
  /** How long a message held its place. */
  note(tookMs: number, nowMs: number): void
}

/**
 * Tells jobs that a server has no place for when to come again: one after the other, about as fast as it takes messages.
 * So thousands of them neither stand in the way of other servers' mail nor all come back at once.
 */
export function createAppointments(places: number): Appointments {
  let averageMs = firstGuessMs
  let endOfLineMs = 0
  const lookInAgain = createSpread(waitMaxMs / 2)
  return {
    next(nowMs) {
      const gapMs = (averageMs / places) * overbooking
      endOfLineMs = Math.max(endOfLineMs, nowMs) + gapMs
      if (endOfLineMs > nowMs + waitMaxMs) {
        endOfLineMs = nowMs + waitMaxMs
        return Math.ceil(lookInAgain(nowMs + waitMaxMs / 2))
      }
      // A whole millisecond at least, or whoever runs what is due would run it again and again.
      return Math.max(Math.ceil(endOfLineMs), nowMs + 1)
    },
    note(tookMs, nowMs) {
      const beforeMs = averageMs
      averageMs += (tookMs < averageMs ? weightOfFaster : weightOfSlower) * (tookMs - averageMs)
      // The line moves faster than was thought: whoever comes next need not wait for its end. Slower shows by itself.
      if (endOfLineMs > nowMs && averageMs < beforeMs) {
        endOfLineMs = nowMs + ((endOfLineMs - nowMs) * averageMs) / beforeMs
      }
    },
  }
}
