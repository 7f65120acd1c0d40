import { createAppointments } from '../../../platform/limits/appointments.ts'

/** The guesses lean to the low side: a job that comes too early comes again, one that comes too late leaves a slot unused. */
const firstGuessMs = 20
const overbooking = 0.7
/** The weight of the newest message's time in the average. */
const weightOfFaster = 0.3
const weightOfSlower = 0.03
/** However long the line is, a job looks in again after this. */
const waitMaxMs = 20_000

export type ServerAppointments = {
  /** When a job that finds all connections taken may come again. */
  next(nowMs: number): number
  /** Learns how long a message held its connection. */
  note(tookMs: number, nowMs: number): void
}

/** Spaces jobs for one server by the time that its messages take on average. */
export function createServerAppointments(connections: number): ServerAppointments {
  let averageMs = firstGuessMs
  const spacingMs = () => (averageMs / connections) * overbooking
  const appointments = createAppointments({ spacingMs, soonestMs: 1, latestMs: waitMaxMs })
  return {
    next: appointments.next,
    note(tookMs, nowMs) {
      const beforeMs = averageMs
      averageMs += (tookMs < averageMs ? weightOfFaster : weightOfSlower) * (tookMs - averageMs)
      // A line that moves slower than expected corrects itself: jobs that come too early are put back.
      if (averageMs < beforeMs) appointments.hasten(averageMs / beforeMs, nowMs)
    },
  }
}
