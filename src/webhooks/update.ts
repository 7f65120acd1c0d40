import type { App } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { notFound } from '../platform/errors.ts'
import { wakeEndpoints } from './dispatch/wake.ts'
import { refuseEndpointUrl } from './endpoint-url.ts'
import { lockWebhookForChange, webhookColumns } from './queries.ts'
import type { WebhookChanges } from './schema.ts'

/** Changes a webhook. Attempts that begin afterwards use the changes. Setting it to inactive fails its pending deliveries. */
export function updateWebhook(
  app: App,
  teamId: string,
  id: string,
  { endpointUrl, events, status, includeTest }: WebhookChanges,
) {
  if (endpointUrl !== undefined) refuseEndpointUrl(app, endpointUrl)
  return app.transaction(async (tx) => {
    const before = await lockWebhookForChange(tx, teamId, id)
    const changed = await tx.db
      .updateTable('webhooks')
      .set({
        ...(endpointUrl !== undefined && { endpoint_url: endpointUrl }),
        ...(events !== undefined && { events: [...new Set(events)] }),
        ...(status !== undefined && { status }),
        ...(includeTest !== undefined && { include_test: includeTest }),
        // A webhook that is switched on again has five days to succeed.
        ...(status === 'active' && { healthy_at: tx.now }),
      })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(webhookColumns)
      .executeTakeFirst()
    if (!before || !changed) throw notFound('webhook')
    const { endpointUrl: name, createdAt: _createdAt, ...after } = changed
    const target = { type: 'webhook', id: changed.id, name }
    await recordUpdate(tx, { teamId, action: 'webhook.updated', target }, before, { ...after, endpointUrl: name })
    if (status === 'inactive') await wakeEndpoints(tx, [{ teamId, id }])
    return changed
  })
}
