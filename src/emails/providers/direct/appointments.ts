import { createAppointments } from '../../../platform/limits/appointments.ts'

/**
 * The guesses are low: a job that runs too early is repeated, but one that runs too late leaves a connection unused.
 */
const firstGuessMs = 20
const overbooking = 0.7
/** The weight of the newest message's time in the average. */
const weightOfFaster = 0.3
const weightOfSlower = 0.03
/** The longest wait of a job, for any number of jobs before it. */
const waitMaxMs = 20_000

type ServerAppointments = {
  /** Returns when a job that finds all connections taken may run again. */
  next(nowMs: number): number
  /** Updates the average with the time for which a message held its connection. */
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
      // A longer average needs no correction here, because jobs that run too early are put back.
      if (averageMs < beforeMs) appointments.hasten(averageMs / beforeMs, nowMs)
    },
  }
}
