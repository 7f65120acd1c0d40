import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { SystemClock } from './clock.ts'

type Log = { warn(fields: object, message: string): void }

const everyMs = 60_000
/** A smaller difference is a correction of a running clock. */
const stepMinMs = 500

/**
 * Sets the clock to the database's. Returns the correction in milliseconds: 0 if the clock agrees with an answer whose
 * time lies between the question and its arrival. A slow answer therefore changes nothing by its slowness alone.
 */
export async function syncClock(db: Db, clock: SystemClock): Promise<number> {
  const asked = clock.reading()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const answered = clock.reading()
  // Without its microseconds.
  const at = rows[0]!.now.getTime()
  if (at + 1 > asked && at <= answered) return 0
  const correction = Math.round(at - (asked + answered) / 2)
  clock.shiftBy(correction)
  return correction
}

/**
 * Returns a function to call each second. It asks the database for the time every minute, and at once after a step of
 * the host's clock. Such a step is logged. It may also mean that the machine slept while its monotonic clock stood
 * still.
 */
export function clockKeeper(db: Db, clock: SystemClock, log: Log): () => Promise<void> {
  const { host, monotonic } = clock.machine
  const lead = () => host() - monotonic()
  let expected = lead()
  let dueAt = monotonic() + everyMs
  let isAsking = false
  return async () => {
    const found = lead()
    const stepMs = Math.round(found - expected)
    if (Math.abs(stepMs) > stepMinMs) {
      const [hostTime, expectedTime] = [monotonic() + found, monotonic() + expected].map((ms) => new Date(ms))
      log.warn({ hostTime, expectedTime, stepMs }, "the clock of this machine stepped; the database's time counts")
      dueAt = 0
    }
    expected = found
    if (isAsking || monotonic() < dueAt) return
    isAsking = true
    dueAt = monotonic() + everyMs
    const correctionMs = await syncClock(db, clock).catch(() => null)
    isAsking = false
    if (correctionMs === null) dueAt = 0
    else if (Math.abs(correctionMs) > stepMinMs) log.warn({ correctionMs }, "the time was set to the database's")
  }
}
