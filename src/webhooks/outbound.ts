import Type from 'typebox'
import type { OutboundCall } from '../platform/http/outbound-call.ts'
import { Nullable, Resource, Timestamp, Uuid } from '../platform/http/schema/schema.ts'
import { eventTypes } from './event-types.ts'

const Details = Nullable(
  Type.Object({}, { additionalProperties: true, description: 'The payload of the provider. Null if there is none.' }),
)
const EventData = Resource('EventData', { email_id: Uuid, details: Details })
const EventMode = Type.Literal('test', {
  title: 'EventMode',
  description: '`test` if a test key sent the message, or if the event is a test. Left out otherwise.',
})

/** The requests that a webhook receives, one for each type of event, as the reference describes them. */
export const deliveries: OutboundCall[] = eventTypes.map((type) => ({
  name: type,
  summary: `Deliver ${type}`,
  description: 'Posted to the `endpointUrl` of each active webhook that subscribes to the event.',
  success:
    'Any answer from 200 to 299 within `WEBHOOK_TIMEOUT` (15 seconds, unless it is set) is a success; otherwise the delivery is repeated after each of the `WEBHOOK_RETRY_DELAYS` (five, unless they are set), with the same `webhook-id`.',
  headers: {
    'webhook-id': 'The id of the delivery. Repeats carry the same one, so a receiver can ignore what it knows.',
    'webhook-timestamp': 'The time of the attempt in Unix seconds. Receivers may refuse one older than five minutes.',
    'webhook-signature':
      '`v1,` and the Base64 of the HMAC-SHA256 over `<webhook-timestamp>.<body>`, with the signing secret as the key. It is one value, also after a rotation of the secret. With the scheme `standard` it is that of `svix-signature`. The receiver compares it with its own computation, in constant time, before it trusts the body.',
    'svix-id': 'The same as `webhook-id`, for libraries that read these names.',
    'svix-timestamp': 'The same as `webhook-timestamp`.',
    'svix-signature':
      'As Standard Webhooks signs: over `<id>.<timestamp>.<body>`, with the bytes that are written in Base64 behind `whsec_` as the key.',
  },
  body: Type.Object({
    type: Type.Literal(type),
    mode: Type.Optional(EventMode),
    created_at: Timestamp,
    data: EventData,
  }),
}))
