import { orNotFound } from '../platform/errors.ts'
import { type Route, route } from '../platform/http/route.ts'
import { Deleted, IdParams, ListQuery } from '../platform/http/schema.ts'
import { createWebhook } from './create.ts'
import { deleteWebhook } from './delete.ts'
import { getDelivery } from './deliveries/get.ts'
import { listDeliveries } from './deliveries/list.ts'
import { replayDelivery } from './deliveries/replay.ts'
import { deliveries } from './outbound.ts'
import { findWebhook, listWebhooksOfTeam } from './queries.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  DeliveryPage,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithPayload,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookList,
  WebhookWithSecret,
} from './schema.ts'
import { updateWebhook } from './update.ts'

const shared = { access: 'full', tag: 'Webhooks' } as const

export const webhookRoutes: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description: 'The signing secret is shown only in this answer.',
    body: NewWebhook,
    sends: deliveries,
    response: WebhookWithSecret,
    refusals: ['unprocessable'],
    handle: ({ app, caller, body }) => createWebhook(app, caller.teamId, body),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    description: 'Newest first.',
    query: ListQuery,
    response: WebhookList,
    handle: ({ app, caller, query }) => listWebhooksOfTeam(app, caller.teamId, query),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/webhooks/:id',
    summary: 'Get a webhook',
    params: IdParams,
    response: Webhook,
    handle: ({ app, caller, params }) => orNotFound('webhook', findWebhook(app.db, caller.teamId, params.id)),
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    summary: 'Change a webhook',
    description: 'A webhook set to `inactive` gets no more deliveries, and pending ones fail.',
    params: IdParams,
    body: WebhookChanges,
    response: Webhook,
    handle: ({ app, caller, params, body }) => updateWebhook(app, caller.teamId, params.id, body),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'Its deliveries go with it.',
    params: IdParams,
    response: Deleted,
    handle: ({ app, caller, params }) => deleteWebhook(app, caller.teamId, params.id),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    summary: 'Make a new signing secret',
    description:
      'The new secret applies at once and is shown only in this answer. For 24 hours deliveries carry a second signature, made with the previous secret: `v1,<new> v1,<old>`. Rotating again ends that one.',
    params: IdParams,
    response: WebhookWithSecret,
    handle: ({ app, caller, params }) => rotateSecret(app, caller.teamId, params.id),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    summary: 'List deliveries',
    description: 'Newest first. Finished ones are kept for 30 days.',
    params: IdParams,
    query: DeliveryQuery,
    response: DeliveryPage,
    handle: ({ app, caller, params, query }) => listDeliveries(app, caller.teamId, params.id, query),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/:deliveryId',
    summary: 'Get a delivery',
    params: DeliveryParams,
    response: DeliveryWithPayload,
    handle: ({ app, caller, params }) => getDelivery(app, caller.teamId, params.id, params.deliveryId),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/replay',
    summary: 'Replay a delivery',
    description: 'A new pending delivery with the same payload, due at once. The webhook must be active.',
    params: DeliveryParams,
    response: DeliveryWithPayload,
    status: 201,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => replayDelivery(app, caller.teamId, params.id, params.deliveryId),
  }),
]
