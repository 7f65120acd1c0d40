import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { Removal } from '../../platform/retention/removal.ts'

/** Finished deliveries are kept 30 days, so that failures can be looked into. Pending ones are never deleted. */
const keptMs = 30 * 24 * 3_600_000
const pageSize = 5000

/** Deletes a page, webhook by webhook along the primary key, because ids are ordered by time. */
async function removeDeliveries(tx: Tx, before: Date): Promise<number> {
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

export const deliveryRemovals: Removal[] = [{ kind: 'webhooks.clean-up', keptMs, remove: removeDeliveries }]
