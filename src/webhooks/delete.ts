import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { enqueueJob } from '../platform/jobs/enqueue.ts'
import { deleteJob } from '../platform/jobs/waiting-jobs.ts'
import { deliverToEndpointJob, forgetDeliveriesJob } from './jobs.ts'
import { notOwnWebhook } from './queries.ts'
import { endpointHost } from './shown.ts'

/** Deletes a webhook and its deliveries. Nothing more is sent to it. */
export function deleteWebhook(app: App, teamId: string, id: string): Promise<{ id: string; deleted: true }> {
  return app.transaction(async (tx) => {
    const deleted = await tx.db
      .deleteFrom('webhooks')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning('endpoint_url')
      .executeTakeFirst()
    if (!deleted) throw await notOwnWebhook(tx.db, teamId, id)
    const target = { type: 'webhook', id, name: endpointHost(deleted.endpoint_url) }
    await recordChange(tx, { teamId, action: 'webhook.deleted', target })
    // A process that is delivering loses its lease.
    await deleteJob(tx, deliverToEndpointJob, id)
    await enqueueJob(tx, forgetDeliveriesJob, { key: id, payload: { teamId } })
    return { id, deleted: true }
  })
}
