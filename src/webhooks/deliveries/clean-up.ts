import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { Schedule } from '../../platform/jobs/job.ts'

/** Finished deliveries are kept 30 days, so that failures can be looked into. Pending ones are never deleted. */
const keepMs = 30 * 24 * 3_600_000
const pageSize = 5000
/** Bounds one run to a million deliveries. The next run, an hour later, deletes the rest. */
const pagesMax = 200

export const cleanUpDeliveries: Schedule = {
  kind: 'webhooks.clean-up',
  everyMs: 3_600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - keepMs)
    for (let page = 0; page < pagesMax; page++) {
      if ((await app.transaction((tx) => deleteOld(tx, before))) === 0) return
    }
  },
}

/** Deletes a page, webhook by webhook along the primary key, because ids are ordered by time. */
async function deleteOld(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries using (
      select webhook.team_id, webhook.id as webhook_id, old.id from webhooks as webhook
      cross join lateral (
        select id from webhook_deliveries
        where team_id = webhook.team_id and webhook_id = webhook.id and id < ${firstIdAt(before)} and due_at is null
        order by id limit ${pageSize}
      ) as old
      limit ${pageSize}
    ) as gone
    where webhook_deliveries.team_id = gone.team_id and webhook_deliveries.webhook_id = gone.webhook_id
      and webhook_deliveries.id = gone.id
  `.execute(tx.db)
  return Number(numAffectedRows)
}
