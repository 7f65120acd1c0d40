import { sql } from 'kysely'
import type { Schedule } from '../../platform/jobs/job.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The provider repeats an event for three days; after that the team of a subscription is known. */
const keptMs = 30 * dayMs
/** Each may have hundreds of events, so pages are small to keep the transaction short. */
const pageMax = 50

/** Deletes subscriptions that no event connected with a team: an account at the provider may also sell other things. */
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
