import type { App } from '../../context.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { lockWebhook } from '../queries.ts'
import { insertDeliveries } from './insert.ts'
import { findDelivery } from './queries.ts'

/** Sends the same payload again as a new delivery with a new `webhook-id`, due at once. */
export function replayDelivery(app: App, teamId: string, webhookId: string, id: string) {
  return app.transaction(async (tx) => {
    const delivery = await findDelivery(tx.db, teamId, webhookId, id)
    if (!delivery) throw notFound('delivery')
    const webhook = await lockWebhook(tx, teamId, webhookId)
    if (!webhook) throw notFound('delivery')
    if (webhook.status === 'inactive') {
      throw conflict('The webhook is inactive. Set its status to active, then replay the delivery.')
    }
    const { eventType, payload } = delivery
    const [replayId] = await insertDeliveries(tx, [{ teamId, webhookId, eventType, payload }])
    const replay = await findDelivery(tx.db, teamId, webhookId, replayId!)
    return { ...replay!, payload: JSON.parse(payload) as object }
  })
}
