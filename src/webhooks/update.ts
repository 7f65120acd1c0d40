import type { App, Tx } from '../context.ts'
import { recordUpdate } from '../platform/audit/record.ts'
import { withTestMark } from '../platform/mode/other-mode.ts'
import { refuseWithoutTest } from './create.ts'
import { wakeEndpoints } from './dispatch/wake.ts'
import { refuseEndpointUrl } from './endpoint-url.ts'
import { lockWebhookForChange, notOwnWebhook, webhookColumns } from './queries.ts'
import type { WebhookChanges } from './schema.ts'
import { endpointHost } from './shown.ts'

/**
 * Changes a webhook. Attempts that begin afterwards use the changes. Setting it to inactive fails its pending
 * deliveries.
 */
export function updateWebhook(
  app: App,
  teamId: string,
  id: string,
  { endpointUrl, events, status, includeTest, signatureScheme }: WebhookChanges,
) {
  if (endpointUrl !== undefined) refuseEndpointUrl(app, endpointUrl)
  refuseWithoutTest(teamId, includeTest)
  return app.transaction(async (tx) => {
    const before = await lockWebhookForChange(tx, teamId, id)
    const changed = await tx.db
      .updateTable('webhooks')
      .set({
        ...(endpointUrl !== undefined && { endpoint_url: endpointUrl }),
        ...(endpointUrl !== undefined && endpointUrl !== before?.endpointUrl && { confirmed: false }),
        ...(events !== undefined && { events: [...new Set(events)] }),
        ...(status !== undefined && { status }),
        ...(includeTest !== undefined && { include_test: includeTest }),
        ...(signatureScheme !== undefined && { signature_scheme: signatureScheme }),
        // A webhook that is switched on again has five days to succeed.
        ...(status === 'active' && { healthy_at: tx.now }),
      })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(webhookColumns)
      .executeTakeFirst()
    if (!before || !changed) throw await notOwnWebhook(tx.db, teamId, id)
    await recordWebhookUpdate(tx, teamId, before, changed)
    if (status === 'inactive') await wakeEndpoints(tx, [{ teamId, id }])
    return withTestMark(changed)
  })
}

type Recorded = NonNullable<Awaited<ReturnType<typeof lockWebhookForChange>>>

/** Records the hosts of the URLs. A change of path or query alone is recorded without values. */
async function recordWebhookUpdate(tx: Tx, teamId: string, before: Recorded, changed: Recorded): Promise<void> {
  const { id, events, status, includeTest, signatureScheme } = changed
  const [from, to] = [endpointHost(before.endpointUrl), endpointHost(changed.endpointUrl)]
  const change = { teamId, action: 'webhook.updated', target: { type: 'webhook', id, name: to } } as const
  const after = { events, status, includeTest, signatureScheme }
  if (from !== to) return recordUpdate(tx, change, { ...before, endpointUrl: from }, { ...after, endpointUrl: to })
  return recordUpdate(tx, change, before, { ...after, endpointUrl: changed.endpointUrl }, ['endpointUrl'])
}
