import { defineSubscription } from '../platform/events.ts'
import { isTestTeam, teamsReadBy } from '../platform/mode/mode.ts'
import { insertDeliveries, type NewDelivery } from './deliveries/insert.ts'
import { eventTypes } from './event-types.ts'
import { payloadOf } from './payload.ts'
import { lockWebhooksWanting } from './queries.ts'
import { resendPayloads } from './resend-payload.ts'

/** Adds a delivery of each event for the webhooks that subscribe to it. Costs a send one query if none does. */
export const fanOutEvents = defineSubscription({
  types: eventTypes,
  async listen(tx, all) {
    const events = all.filter(({ data }) => !data.system).map((event) => ({ ...event, at: tx.now }))
    if (events.length === 0) return
    const teamIds = new Set(events.flatMap(({ teamId }) => teamsReadBy(teamId)))
    const types = new Set(events.map(({ type }) => type))
    const webhooks = await lockWebhooksWanting(tx, [...teamIds], [...types])
    if (webhooks.length === 0) return
    const hasResend = webhooks.some(({ format }) => format === 'resend')
    const resendBodies = hasResend ? await resendPayloads(tx, events) : []
    const deliveries = events.flatMap((event, index): NewDelivery[] => {
      // A webhook made in test mode has `includeTest`, and belongs to a test team, which reads no live events.
      const readers = teamsReadBy(event.teamId)
      const wanting = webhooks.filter((webhook) => {
        const isWanted = webhook.includeTest || !isTestTeam(event.teamId)
        return isWanted && readers.includes(webhook.teamId) && webhook.events.includes(event.type)
      })
      if (wanting.length === 0) return []
      const payload = payloadOf(event)
      return wanting.map(({ teamId, id, format }) => {
        const body = format === 'resend' ? resendBodies[index]! : payload
        return { teamId, webhookId: id, eventType: event.type, payload: body }
      })
    })
    insertDeliveries(tx, deliveries)
  },
})
