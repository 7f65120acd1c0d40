import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { publish } from '../../platform/events.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { Schedule } from '../../platform/jobs/job.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { wakeEndpoints } from '../dispatch/wake.ts'
import { endpointHost } from '../shown.ts'
import { pagesOfUnhealthy, type Unhealthy } from './unhealthy.ts'

/** Five days: longer than a weekend, and than the 17.5 hours for which a delivery is retried. */
const failingMs = 5 * 24 * 3_600_000
/** Fewer failures may have other causes. */
const failedMin = 50

/**
 * Switches off webhooks that have failed for five days: no delivery succeeded, and fifty failed for good. Their status
 * becomes `inactive`. The owner can set it to `active` again.
 */
export const switchOffFailing: Schedule = {
  kind: 'webhooks.switch-off',
  everyMs: 3_600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - failingMs)
    for await (const page of pagesOfUnhealthy(app, before)) {
      const failing = await keepFailing(app, page, before)
      for (const webhook of failing) {
        if (!(await app.transaction((tx) => switchOff(tx, webhook, before)))) continue
        app.log.warn(
          { team: webhook.teamId, webhook: webhook.id },
          'webhook switched off: all its deliveries failed for days',
        )
      }
    }
  },
}

/** Finds the webhooks with enough failed deliveries since their last success, the first of them before `before`. */
async function keepFailing(app: App, webhooks: Unhealthy[], before: Date): Promise<Unhealthy[]> {
  const looked = webhooks.map(({ teamId, id, healthyAt }) => ({ teamId, id, since: firstIdAt(healthyAt) }))
  const { rows } = await sql<{ id: string }>`
    select webhook.id
    from ${rowsOf(looked, { teamId: 'uuid', id: 'uuid', since: 'uuid' }).as('webhook')}
    cross join lateral (
      select count(*) as count, min(created_at) as first_at from (
        select created_at from webhook_deliveries
        where team_id = webhook.team_id and webhook_id = webhook.id and status = 'failed' and id >= webhook.since
        order by id limit ${failedMin}
      ) as oldest
    ) as failed
    where failed.count = ${failedMin} and failed.first_at < ${before}
  `.execute(app.db)
  const failing = new Set(rows.map(({ id }) => id))
  return webhooks.filter(({ id }) => failing.has(id))
}

/**
 * Sets a webhook to `inactive`, so that pending deliveries fail without another attempt. False if it succeeded or
 * changed meanwhile.
 */
async function switchOff(tx: Tx, { teamId, id }: Unhealthy, before: Date): Promise<boolean> {
  const changed = await tx.db
    .updateTable('webhooks')
    .set({ status: 'inactive' })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('healthy_at', '<', before)
    .returning('endpoint_url')
    .executeTakeFirst()
  if (!changed) return false
  await wakeEndpoints(tx, [{ teamId, id }])
  await publish(tx, [{ type: 'webhook.switched_off', teamId, data: { webhookId: id } }])
  const target = { type: 'webhook', id, name: endpointHost(changed.endpoint_url) }
  await recordChange(tx, { teamId, action: 'webhook.switched_off', target })
  return true
}
