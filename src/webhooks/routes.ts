import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { developers } from '../teams/roles/roles.ts'
import { createWebhook } from './create.ts'
import { deleteWebhook } from './delete.ts'
import { listAttempts } from './deliveries/attempts.ts'
import { replayFailed } from './deliveries/failed-since.ts'
import { getDelivery } from './deliveries/get.ts'
import { listDeliveries } from './deliveries/list.ts'
import { replayDelivery } from './deliveries/replay.ts'
import { sendTestEvent } from './deliveries/test-event.ts'
import { deliveries } from './outbound.ts'
import { findWebhook, listWebhooksOfTeam } from './queries.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  AttemptPage,
  DeliveryPage,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithPayload,
  NewWebhook,
  Replay,
  Replayed,
  TestEvent,
  Webhook,
  WebhookChanges,
  WebhookList,
  WebhookWithSecret,
} from './schema.ts'
import { endpointUrlShownTo, webhookShownTo } from './shown.ts'
import { updateWebhook } from './update.ts'

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Webhooks' }, { roles: developers, changes: 'webhooks' })

export const webhookRoutes: Route[] = [
  route('POST /v1/webhooks', 'createWebhook', {
    summary: 'Create a webhook',
    description:
      'The signing secret is shown only in this answer. In test mode the webhook is marked `"mode": "test"`: it gets test events only, and live keys do not see it.',
    body: NewWebhook,
    sends: deliveries,
    response: WebhookWithSecret,
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body }) => createWebhook(app, caller.teamId, body),
  }),
  route('GET /v1/webhooks', 'listWebhooks', {
    summary: 'List webhooks',
    description: 'Newest first. In test mode those of the team too, which a test key reads and does not change.',
    query: ListQuery,
    response: WebhookList,
    handle: async ({ app, caller, query }) => {
      const page = await listWebhooksOfTeam(app, caller.teamId, query)
      return { ...page, data: page.data.map((webhook) => webhookShownTo(caller, webhook)) }
    },
  }),
  route('GET /v1/webhooks/:id', 'getWebhook', {
    summary: 'Get a webhook',
    response: Webhook,
    handle: async ({ app, caller, params }) =>
      webhookShownTo(caller, await orNotFound('webhook', findWebhook(app.db, caller.teamId, params.id))),
  }),
  route('PATCH /v1/webhooks/:id', 'updateWebhook', {
    summary: 'Change a webhook',
    description: 'A webhook set to `inactive` gets no more deliveries, and pending ones fail.',
    body: WebhookChanges,
    response: Webhook,
    handle: ({ app, caller, params, body }) => updateWebhook(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/webhooks/:id', 'deleteWebhook', {
    summary: 'Delete a webhook',
    description: 'Its deliveries go with it.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteWebhook(app, caller.teamId, params.id),
  }),
  route('POST /v1/webhooks/:id/rotate-secret', 'rotateWebhookSecret', {
    summary: 'Make a new signing secret',
    description:
      'The new secret applies at once and is shown only in this answer. `webhook-signature` is made with it alone. For 24 hours `svix-signature`, and `webhook-signature` with the scheme `standard`, have a second signature behind it, made with the previous secret. Rotating again ends that one.',
    response: WebhookWithSecret,
    handle: ({ app, caller, params }) => rotateSecret(app, caller.teamId, params.id),
  }),
  route('GET /v1/webhooks/:id/deliveries', 'listDeliveries', {
    sdk: 'webhooks.deliveries.list',
    summary: 'List deliveries',
    description: 'Newest first. Finished ones are kept for 30 days. In test mode those of a live webhook are 403.',
    query: DeliveryQuery,
    response: DeliveryPage,
    handle: ({ app, caller, params, query }) => listDeliveries(app, caller.teamId, params.id, query),
  }),
  route('GET /v1/webhooks/:id/deliveries/:deliveryId', 'getDelivery', {
    sdk: 'webhooks.deliveries.get',
    summary: 'Get a delivery',
    params: DeliveryParams,
    response: DeliveryWithPayload,
    handle: async ({ app, caller, params }) => {
      const delivery = await getDelivery(app, caller.teamId, params.id, params.deliveryId)
      return { ...delivery, endpointUrl: endpointUrlShownTo(caller, delivery.endpointUrl, caller) }
    },
  }),
  route('GET /v1/webhooks/:id/deliveries/:deliveryId/attempts', 'listDeliveryAttempts', {
    sdk: 'webhooks.deliveries.attempts',
    summary: 'List the attempts of a delivery',
    description: 'Newest first, with the beginning of each answer. They are kept as long as the delivery.',
    params: DeliveryParams,
    query: ListQuery,
    response: AttemptPage,
    handle: ({ app, caller, params, query }) => listAttempts(app, caller.teamId, params.id, params.deliveryId, query),
  }),
  route('POST /v1/webhooks/:id/test', 'testWebhook', {
    summary: 'Send a test event',
    description:
      'Delivers an event that did not happen, signed and repeated like any other and marked `"mode": "test"`. Its `email_id` is that of no email. The webhook must be active, and need not subscribe to the event.',
    body: TestEvent,
    response: DeliveryWithPayload,
    status: 201,
    refusals: ['conflict'],
    handle: ({ app, caller, params, body }) => sendTestEvent(app, caller.teamId, params.id, body.eventType),
  }),
  route('POST /v1/webhooks/:id/replay', 'replayDeliveries', {
    sdk: 'webhooks.deliveries.replayFailed',
    command: 'webhooks replay',
    summary: 'Replay failed deliveries',
    description:
      'Sends again what failed since a time, as new deliveries with the same payloads, oldest first. Deliveries that were replayed before are left out. One request queues 100,000 at most; repeat it for the rest. The webhook must be active, and one replay of a webhook runs at a time.',
    body: Replay,
    response: Replayed,
    refusals: ['conflict'],
    handle: ({ app, caller, params, body }) => replayFailed(app, caller.teamId, params.id, new Date(body.since)),
  }),
  route('POST /v1/webhooks/:id/deliveries/:deliveryId/replay', 'replayDelivery', {
    sdk: 'webhooks.deliveries.replay',
    summary: 'Replay a delivery',
    description: 'A new pending delivery with the same payload, due at once. The webhook must be active.',
    params: DeliveryParams,
    response: DeliveryWithPayload,
    status: 201,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => replayDelivery(app, caller.teamId, params.id, params.deliveryId),
  }),
]
