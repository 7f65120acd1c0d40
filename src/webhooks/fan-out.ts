import type { Tx } from '../context.ts'
import type { Event, Subscription } from '../platform/events.ts'
import { insertDeliveries, type NewDelivery } from './deliveries/insert.ts'
import { eventTypes } from './event-types.ts'
import { lockWebhooksWanting } from './queries.ts'

/** Copies each event to the webhooks that want it. On the road of every send: one select where none does. */
export const announceEvents: Subscription = {
  types: eventTypes,
  async listen(tx, events) {
    const [teamIds, types] = [new Set(events.map(({ teamId }) => teamId)), new Set(events.map(({ type }) => type))]
    const webhooks = await lockWebhooksWanting(tx, [...teamIds], [...types])
    if (webhooks.length === 0) return
    const deliveries = events.flatMap((event): NewDelivery[] => {
      const wanting = webhooks.filter(({ teamId, events }) => teamId === event.teamId && events.includes(event.type))
      if (wanting.length === 0) return []
      const payload = payloadOf(tx, event)
      return wanting.map(({ teamId, id }) => ({ teamId, webhookId: id, eventType: event.type, payload }))
    })
    await insertDeliveries(tx, deliveries)
  },
}

/** As the specification fixes it; what is signed and sent are these very bytes. */
function payloadOf(tx: Tx, { type, data }: Event): string {
  return JSON.stringify({
    type,
    created_at: tx.now.toISOString(),
    data: { email_id: data.emailId, details: data.details ?? null },
  })
}
