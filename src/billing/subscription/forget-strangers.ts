import { sql } from 'kysely'
import type { Schedule } from '../../platform/jobs/job.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The provider repeats an event for three days: whose it is has long been told by then. */
const keptMs = 30 * dayMs
/** Each with hundreds of events: a page is to be a short unit of work. */
const pageMax = 50

/** Subscriptions that no event ever connected with a team: an account at the provider may sell other things too. */
export const forgetStrangers: Schedule = {
  kind: 'billing.forget-strangers',
  everyMs: dayMs,
  async run(app) {
    const until = new Date(app.clock.now().getTime() - keptMs)
    for (;;) {
      const deleted = await app.transaction(async (tx) => {
        const { rows } = await sql`
          delete from payment_subscriptions where id in (
            select id from payment_subscriptions where team_id is null and updated_at < ${until} limit ${pageMax}
          ) returning id
        `.execute(tx.db)
        return rows.length
      })
      if (deleted < pageMax) return
    }
  },
}
