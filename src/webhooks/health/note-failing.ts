import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { Schedule } from '../../platform/jobs/job.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { pagesOfUnhealthy, type Unhealthy } from './unhealthy.ts'

const hourMs = 3_600_000
/** Longer than a restart or a deployment, and long before the webhook is switched off. */
const failingMs = hourMs
/** A success is stored up to an hour late (`note-success.ts`). */
const storedLateMs = hourMs

/**
 * Announces each webhook that has delivered nothing for an hour and has a delivery that failed all that time. It is
 * announced once until it succeeds again.
 */
export const noteFailing: Schedule = {
  kind: 'webhooks.note-failing',
  everyMs: 600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - failingMs - storedLateMs)
    for await (const page of pagesOfUnhealthy(app, before, isUnannounced)) {
      const failing = await keepFailing(app, page)
      for (const webhook of failing) await app.transaction((tx) => announce(tx, webhook, before))
    }
  },
}

/** True for those that were not announced since their last success. */
const isUnannounced = sql`(failing_noted_at is null or failing_noted_at < healthy_at)`

/**
 * Finds the webhooks with a delivery that is an hour old and failed after the last success. Webhooks that had nothing
 * to deliver are left out.
 */
async function keepFailing(app: App, webhooks: Unhealthy[]): Promise<Unhealthy[]> {
  const madeBefore = new Date(app.clock.now().getTime() - failingMs)
  const looked = webhooks.map(({ teamId, id, healthyAt }) => {
    const failedAfter = new Date(healthyAt.getTime() + storedLateMs)
    return { teamId, id, since: firstIdAt(healthyAt), failedAfter }
  })
  const columns = { teamId: 'uuid', id: 'uuid', since: 'uuid', failedAfter: 'timestamptz' } as const
  const { rows } = await sql<{ id: string }>`
    select webhook.id from ${rowsOf(looked, columns).as('webhook')}
    where exists (
      select from webhook_deliveries
      where team_id = webhook.team_id and webhook_id = webhook.id and due_at is not null and attempts > 0
        and created_at < ${madeBefore} and last_attempt_at >= webhook.failed_after
    ) or exists (
      select from webhook_deliveries
      where team_id = webhook.team_id and webhook_id = webhook.id and status = 'failed' and id >= webhook.since
        and id < ${firstIdAt(madeBefore)} and last_attempt_at >= webhook.failed_after
    )
  `.execute(app.db)
  const failing = new Set(rows.map(({ id }) => id))
  return webhooks.filter(({ id }) => failing.has(id))
}

/** Notes and announces a webhook in one commit. Does nothing if it succeeded or changed meanwhile. */
async function announce(tx: Tx, { teamId, id }: Unhealthy, before: Date): Promise<void> {
  const noted = await tx.db
    .updateTable('webhooks')
    .set({ failing_noted_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('healthy_at', '<', before)
    .executeTakeFirst()
  if (noted.numUpdatedRows === 0n) return
  await publish(tx, [{ type: 'webhook.failing', teamId, data: { webhookId: id } }])
}
