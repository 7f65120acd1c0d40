import type { Tx } from '../context.ts'
import type { Event } from '../events.ts'
import { defineSubscription } from '../platform/events.ts'
import { isTestTeam, modeOf, teamsReadBy } from '../platform/mode/mode.ts'
import { insertDeliveries, type NewDelivery } from './deliveries/insert.ts'
import { eventTypes } from './event-types.ts'
import { lockWebhooksWanting } from './queries.ts'

/** Adds a delivery of each event for the webhooks that subscribe to it. Costs a send one query if none does. */
export const announceEvents = defineSubscription({
  types: eventTypes,
  async listen(tx, all) {
    const events = all.filter(({ data }) => !data.system)
    const [teamIds, types] = [
      new Set(events.flatMap(({ teamId }) => teamsReadBy(teamId))),
      new Set(events.map(({ type }) => type)),
    ]
    if (events.length === 0) return
    const webhooks = await lockWebhooksWanting(tx, [...teamIds], [...types])
    if (webhooks.length === 0) return
    const deliveries = events.flatMap((event): NewDelivery[] => {
      // A webhook of test mode has `includeTest`, and is of no team of a live event.
      const teamIds = teamsReadBy(event.teamId)
      const wanting = webhooks.filter(({ teamId, events, includeTest }) => {
        const isWanted = includeTest || !isTestTeam(event.teamId)
        return isWanted && teamIds.includes(teamId) && events.includes(event.type)
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
