import { sql } from 'kysely'
import type { Tx } from '../../context.ts'

/**
 * Makes the jobs due that processes held before `time`. Call it where none of these processes still runs. Leases that
 * were taken since stay.
 */
export async function endLeasesBefore(tx: Tx, time: Date): Promise<void> {
  await sql`
    update jobs set run_at = ${tx.now} where lease_token is not null
      and run_at > ${tx.now} and run_at < ${new Date(time.getTime() + tx.jobs.leaseMs)}
  `.execute(tx.db)
}
