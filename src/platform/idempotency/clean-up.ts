import { sql } from 'kysely'
import type { App } from '../../context.ts'
import type { Schedule } from '../jobs/job.ts'

/** Keys are promised for 24 hours. They are kept for two days, so that a retry a day later still finds its key. */
const keepMs = 48 * 3_600_000
/** A page takes far less than the 8 s of a statement. The pages of a run hold more keys than an hour brings. */
const pageSize = 5000
const pagesMax = 1000

export const cleanUpRequestKeys: Schedule = {
  kind: 'idempotency.clean-up',
  everyMs: 3_600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - keepMs)
    for (let page = 0; page < pagesMax; page++) {
      const { numAffectedRows = 0n } = await sql`
        delete from idempotency_keys where ctid = any(array(
          select ctid from idempotency_keys where created_at < ${before} order by created_at limit ${pageSize}
        ))
      `.execute(app.db)
      if (numAffectedRows < pageSize) return
    }
  },
}
