import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { Strict, Text, TextEnum } from '../platform/http/schema/schema.ts'
import { createWebhook } from '../webhooks/create.ts'
import { getDelivery } from '../webhooks/deliveries/get.ts'
import { listDeliveries } from '../webhooks/deliveries/list.ts'
import { replayDelivery } from '../webhooks/deliveries/replay.ts'
import { eventTypes } from '../webhooks/event-types.ts'
import { findWebhook, listWebhooksOfTeam } from '../webhooks/queries.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { webhookShownTo } from '../webhooks/shown.ts'
import { updateWebhook } from '../webhooks/update.ts'
import { theirFields } from './names.ts'
import { readRows } from './pages.ts'
import { asRead, lists, rowsOf } from './route-like.ts'

const webhook = {
  endpoint: Text({ minLength: 1, maxLength: 2000 }),
  events: Type.Array(TextEnum(...eventTypes), { minItems: 1, maxItems: 100 }),
}
const NewWebhook = Strict(webhook)
const WebhookChanges = Type.Partial(Strict({ ...webhook, status: TextEnum('enabled', 'disabled') }), {
  additionalProperties: false,
  minProperties: 1,
})

const ourStatus = { enabled: 'active', disabled: 'inactive' } as const

function changesOf({ endpoint: endpointUrl, events, status }: Static<typeof WebhookChanges>) {
  return { endpointUrl, events, status: status && ourStatus[status] }
}

type OurWebhook = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

function theirWebhook(webhook: OurWebhook, caller: Caller) {
  const { id, endpointUrl: endpoint, events, ...others } = webhookShownTo(caller, webhook)
  const status = others.status === 'active' ? 'enabled' : 'disabled'
  return { id, endpoint, events, status, created_at: others.createdAt }
}

type OurDelivery = Awaited<ReturnType<typeof listDeliveries>>['data'][number]

/** Our delivery as their event. One that failed and waits for its next attempt is being attempted. */
function theirEvent({ eventType: type, status, attempts, ...delivery }: Omit<OurDelivery, 'webhookId'>) {
  const pending = attempts > 0 ? 'attempting' : 'pending'
  const shown = { delivered: 'success', failed: 'failed', pending }[status]
  return { id: delivery.id, type, created_at: delivery.createdAt, status: shown }
}

const webhooks = rowsOf('webhook')
const { shows } = rowsOf('webhook_event')

export const theirWebhookRoutes: Route[] = [
  // Webhooks that are made here deliver Resend's payload.
  webhooks.shows('createWebhook', 'POST /webhooks', NewWebhook, async ({ app, teamId, body }) => {
    const { endpoint: endpointUrl, events } = body
    return theirFields(await createWebhook(app, teamId, { endpointUrl, events }, 'resend'), 'id', 'signingSecret')
  }),
  lists('listWebhooks', '/webhooks', theirWebhook, ({ app, teamId, query }) => listWebhooksOfTeam(app, teamId, query)),
  webhooks.shows('getWebhook', 'GET /webhooks/:id', async ({ app, caller, teamId, id }) =>
    theirWebhook(await orNotFound('webhook', findWebhook(app.db, teamId, id)), caller),
  ),
  webhooks.does('updateWebhook', 'PATCH /webhooks/:id', WebhookChanges, ({ app, teamId, id, body }) =>
    updateWebhook(app, teamId, id, changesOf(body)),
  ),
  webhooks.shows('deleteWebhook', 'DELETE /webhooks/:id'),
  webhooks.shows('rotateWebhookSecret', 'POST /webhooks/:id/signing-secret/rotate', async ({ app, teamId, id }) =>
    theirFields(await rotateSecret(app, teamId, id), 'id', 'signingSecret'),
  ),

  lists('listDeliveries', '/webhooks/:id/events', theirEvent, async ({ app, teamId, id, query }) => {
    await orNotFound('webhook', findWebhook(app.db, teamId, id))
    return listDeliveries(app, teamId, id, query)
  }),
  shows('getDelivery', 'GET /webhooks/:id/events/:eventId', async ({ app, teamId, id, eventId }) => {
    const delivery = await getDelivery(app, teamId, id, eventId)
    return { ...theirEvent(delivery), next_attempt_at: delivery.nextRetryAt, payload: delivery.payload }
  }),
  shows('replayDelivery', 'POST /webhooks/:id/events/:eventId/replay', async ({ app, teamId, id, eventId }) =>
    theirFields(await replayDelivery(app, teamId, id, eventId), 'id'),
  ),
  lists('listDeliveryAttempts', '/webhooks/:id/events/:eventId/attempts', asRead, async (input) => {
    const { app, teamId, id, eventId, query } = input
    await getDelivery(app, teamId, id, eventId)
    // Their ids are made from their numbers, of which WEBHOOK_RETRY_DELAYS may allow more than a digit counts.
    const attempts = sql<{ id: string }>`
      select (left(delivery.id::text, -4) || lpad(to_hex(number), 4, '0'))::uuid as id,
        coalesce((attempt->>'statusCode')::integer, 0) as http_status_code,
        coalesce(attempt->>'body', attempt->>'error', '') as response, attempt->>'at' as sent_at
      from webhook_deliveries as delivery, jsonb_array_elements(attempt_log) with ordinality as made (attempt, number)
      where team_id = ${teamId} and webhook_id = ${id} and delivery.id = ${eventId}
    `
    return readRows(app, teamId, query, attempts)
  }),
]
