import type { Tx } from '../context.ts'
import type { Event } from '../events.ts'
import { defineSubscription } from '../platform/events.ts'
import { isTestTeam, liveTeamOf, modeOf } from '../platform/mode.ts'
import { insertDeliveries, type NewDelivery } from './deliveries/insert.ts'
import { eventTypes } from './event-types.ts'
import { lockWebhooksWanting } from './queries.ts'

/** Adds a delivery of each event for the webhooks that subscribe to it. Costs a send one query if none does. */
export const announceEvents = defineSubscription({
  types: eventTypes,
  async listen(tx, events) {
    const [teamIds, types] = [
      new Set(events.map(({ teamId }) => liveTeamOf(teamId))),
      new Set(events.map(({ type }) => type)),
    ]
    const webhooks = await lockWebhooksWanting(tx, [...teamIds], [...types])
    if (webhooks.length === 0) return
    const deliveries = events.flatMap((event): NewDelivery[] => {
      const wanting = webhooks.filter(({ teamId, events, includeTest }) => {
        const isWanted = includeTest || !isTestTeam(event.teamId)
        return isWanted && teamId === liveTeamOf(event.teamId) && events.includes(event.type)
      })
      if (wanting.length === 0) return []
      const payload = payloadOf(tx, event)
      return wanting.map(({ teamId, id }) => ({ teamId, webhookId: id, eventType: event.type, payload }))
    })
    insertDeliveries(tx, deliveries)
  },
})

/** Serializes the payload. These bytes are signed and sent. */
function payloadOf(tx: Tx, { type, teamId, data }: Event<(typeof eventTypes)[number]>): string {
  return JSON.stringify({
    type,
    ...(isTestTeam(teamId) && { mode: modeOf(teamId) }),
    created_at: tx.now.toISOString(),
    data: { email_id: data.emailId, details: data.details },
  })
}
