import { sql } from 'kysely'
import type { Db } from '../context.ts'
import type { SystemClock } from './clock.ts'

/** Small differences are ignored, so that timestamps agree with other programs of the machine. */
const toleranceMs = 500

/** Sets the clock to the database's, so that the leases of all processes are compared with one clock. Returns the shift. */
export async function syncClock(db: Db, clock: SystemClock): Promise<number> {
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const middle = (before + Date.now()) / 2
  const offsetMs = Math.round(rows[0]!.now.getTime() - middle)
  const shift = Math.abs(offsetMs) > toleranceMs ? offsetMs : 0
  clock.shiftBy(shift)
  return shift
}
