import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { wakeEndpoints } from './dispatch/wake.ts'
import { refuseEndpointUrl } from './endpoint-url.ts'
import { webhookColumns } from './queries.ts'
import type { WebhookChanges } from './schema.ts'

/** Attempts that begin after it use what it says. Switched off, what is pending fails without another attempt. */
export function updateWebhook(app: App, teamId: string, id: string, { endpointUrl, events, status }: WebhookChanges) {
  if (endpointUrl !== undefined) refuseEndpointUrl(app, endpointUrl)
  return app.transaction(async (tx) => {
    const changed = await tx.db
      .updateTable('webhooks')
      .set({
        ...(endpointUrl !== undefined && { endpoint_url: endpointUrl }),
        ...(events !== undefined && { events: [...new Set(events)] }),
        ...(status !== undefined && { status }),
        // Switched on again, it has days to work.
        ...(status === 'active' && { healthy_at: tx.now }),
      })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(webhookColumns)
      .executeTakeFirst()
    if (!changed) throw notFound('webhook')
    if (status === 'inactive') await wakeEndpoints(tx, [{ teamId, id }])
    return changed
  })
}
