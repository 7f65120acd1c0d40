import type { App } from '../../context.ts'
import type { Schedule } from '../jobs/job.ts'

/** Keys are promised for 24 hours. They are kept for two days, so that a retry a day later still finds its key. */
const keepMs = 48 * 3_600_000

export const cleanUpRequestKeys: Schedule = {
  kind: 'idempotency.clean-up',
  everyMs: 3_600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - keepMs)
    await app.db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
  },
}
