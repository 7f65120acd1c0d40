import type { EventName } from '../events.ts'

/** The events that a webhook can subscribe to. */
export const eventTypes = [
  'email.sent',
  'email.delivered',
  'email.delivery_delayed',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
] as const satisfies EventName[]

export type EventType = (typeof eventTypes)[number]
