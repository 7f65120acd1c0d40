import { sql } from 'kysely'
import type { Db } from '../context.ts'
import type { SystemClock } from './clock.ts'

/** Small differences are left alone: stamps of one machine stay as its other programs have them. */
const toleranceMs = 500

/** Sets the clock by the database's, so that the leases of all processes compare with one clock. Gives the shift. */
export async function syncClock(db: Db, clock: SystemClock): Promise<number> {
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const middle = (before + Date.now()) / 2
  const offsetMs = Math.round(rows[0]!.now.getTime() - middle)
  const shift = Math.abs(offsetMs) > toleranceMs ? offsetMs : 0
  clock.shiftBy(shift)
  return shift
}
