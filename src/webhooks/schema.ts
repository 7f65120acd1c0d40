import Type, { type Static } from 'typebox'
import {
  Body,
  IdOf,
  ListQueryOf,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  Strict,
  TestMark,
  Text,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { eventTypes } from './event-types.ts'
import { deliveryStatuses, signatureSchemes } from './table.ts'

const EndpointUrl = Text({
  minLength: 1,
  maxLength: 2000,
  description:
    'An `https://` URL without user name or password, at a public address. Outside production also `http://` on `localhost` or another loopback address. Redirects are not followed.',
  examples: ['https://example.com/hooks/posthorn'],
})
/** Repeated types are removed. The bound only refuses absurd lists. */
const Events = Type.Array(TextEnum(...eventTypes), { minItems: 1, maxItems: 100, examples: [['email.bounced']] })
const Status = TextEnum('active', 'inactive')

const IncludeTest = Type.Boolean({
  description:
    'Whether it also gets events of messages that test keys sent, marked `"mode": "test"`. False if left out; always true for a webhook of test mode.',
})

const Scheme = {
  ...TextEnum(...signatureSchemes),
  description:
    'How the `webhook-` headers sign: `posthorn` signs `timestamp.body`, `standard` follows Standard Webhooks, so that its libraries verify. The `svix-` headers always follow it.',
}

export const NewWebhook = Body('NewWebhook', {
  endpointUrl: EndpointUrl,
  events: Events,
  includeTest: Type.Optional(IncludeTest),
  signatureScheme: Type.Optional(Scheme),
})
export type NewWebhook = Static<typeof NewWebhook>

const ShownUrl = Type.String({
  description: 'For marketers and viewers `[hidden]` stands in place of path and query.',
  examples: ['https://example.com/hooks/posthorn'],
})

export const WebhookChanges = Body(
  'WebhookChanges',
  {
    endpointUrl: Type.Optional(EndpointUrl),
    events: Type.Optional(Events),
    status: Type.Optional(Status),
    includeTest: Type.Optional(IncludeTest),
    signatureScheme: Type.Optional(Scheme),
  },
  { minProperties: 1 },
)
export type WebhookChanges = Static<typeof WebhookChanges>

const webhook = {
  id: Uuid,
  endpointUrl: ShownUrl,
  events: Events,
  status: Status,
  includeTest: IncludeTest,
  signatureScheme: Scheme,
  mode: TestMark,
  createdAt: Timestamp,
}

export const Webhook = Resource('Webhook', webhook)
export const WebhookList = Page(Webhook)

export const WebhookWithSecret = Resource(
  'WebhookWithSecret',
  {
    ...webhook,
    signingSecret: Type.String({ description: 'Shown this once.', examples: ['whsec_…'] }),
  },
  { 'x-extends': 'Webhook' },
)

export const DeliveryQuery = ListQueryOf({
  status: Type.Optional({ ...TextEnum(...deliveryStatuses), description: 'Only those with this status.' }),
  eventType: Type.Optional({ ...TextEnum(...eventTypes), description: 'Only those of this type of event.' }),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const DeliveryParams = Strict({ id: IdOf('the webhook'), deliveryId: IdOf('the delivery') })

const delivery = {
  id: Type.String({ ...Uuid, description: 'Sent as `webhook-id`.' }),
  webhookId: Uuid,
  eventType: TextEnum(...eventTypes),
  status: TextEnum(...deliveryStatuses),
  attempts: Type.Integer(),
  responseStatusCode: Nullable(
    Type.Integer({ description: 'The status of the last attempt. Null if no answer came.' }),
  ),
  lastAttemptAt: NullableTimestamp,
  nextRetryAt: NullableTimestamp,
  createdAt: Timestamp,
}

export const Delivery = Resource('Delivery', delivery)
export const DeliveryPage = Page(Delivery)

export const AttemptPage = Page(
  Resource('DeliveryAttempt', {
    at: Timestamp,
    durationMs: Type.Integer({ examples: [84] }),
    statusCode: Nullable(
      Type.Integer({ description: 'The status of the answer. Null if none came.', examples: [503] }),
    ),
    error: Nullable(
      Type.String({ description: 'Why no answer came. Null if one did.', examples: ['The connection was refused.'] }),
    ),
    body: Nullable(
      Type.String({ description: 'The first 1 KiB of the answer as text. Null if it was empty.', examples: ['Busy'] }),
    ),
  }),
)

export const TestEvent = Body(
  'WebhookTest',
  { eventType: TextEnum(...eventTypes) },
  { examples: [{ eventType: 'email.bounced' }] },
)

export const Replay = Body('DeliveryReplay', {
  since: Type.String({
    format: 'date-time',
    description: 'Deliveries that failed at this time or later.',
    examples: ['2026-01-31T09:30:00Z'],
  }),
})

export const Replayed = Resource('DeliveriesReplayed', {
  queued: Type.Integer({ description: 'The deliveries that will be sent again.', examples: [42] }),
})

export const DeliveryWithPayload = Resource(
  'DeliveryWithPayload',
  {
    ...delivery,
    payload: Type.Object({}, { additionalProperties: true, description: 'The body as it is sent.' }),
    endpointUrl: ShownUrl,
  },
  { 'x-extends': 'Delivery' },
)
