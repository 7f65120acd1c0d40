import type { Static } from 'typebox'
import type {
  AttemptPage,
  Delivery as DeliverySchema,
  Webhook as WebhookSchema,
  DeliveryWithPayload as WithPayload,
  WebhookWithSecret as WithSecret,
} from '../../../src/webhooks/schema.ts'
import type { Json } from '../api/json.ts'

export type Webhook = Json<Static<typeof WebhookSchema>>
export type WebhookWithSecret = Json<Static<typeof WithSecret>>
export type Delivery = Json<Static<typeof DeliverySchema>>
export type DeliveryWithPayload = Json<Static<typeof WithPayload>>
export type Attempt = Json<Static<typeof AttemptPage>>['data'][number]
export type EventType = Webhook['events'][number]

export const webhooksPath = '/v1/webhooks'

/** The events of the API with what they say. */
const eventWords: Record<EventType, string> = {
  'email.sent': 'The email was handed over.',
  'email.delivered': 'The recipient’s host took it.',
  'email.delivery_delayed': 'The host asked to try again later.',
  'email.bounced': 'It was not delivered.',
  'email.complained': 'The recipient reported it as spam.',
  'email.opened': 'The recipient opened it.',
  'email.clicked': 'The recipient followed a link.',
}

export function wordsOf(event: EventType): string {
  return eventWords[event]
}

/** Returns the host of an endpoint, which names its webhook. */
export function hostOf({ endpointUrl }: { endpointUrl: string }): string {
  return URL.parse(endpointUrl)?.host ?? endpointUrl
}
