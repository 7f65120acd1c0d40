import type { Answer, RowOf } from '../api/request.ts'

export type Webhook = Answer<'/v1/webhooks/:id'>
export type Delivery = RowOf<'/v1/webhooks/:id/deliveries'>
export type DeliveryWithPayload = Answer<'/v1/webhooks/:id/deliveries/:deliveryId'>
export type Attempt = RowOf<'/v1/webhooks/:id/deliveries/:deliveryId/attempts'>
export type EventType = Webhook['events'][number]

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
