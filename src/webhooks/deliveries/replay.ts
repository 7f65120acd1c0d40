import type { App } from '../../context.ts'
import { notOwnWebhook } from '../queries.ts'
import { addDelivery } from './add.ts'
import { findDelivery } from './queries.ts'

/** Sends the same payload again as a new delivery with a new `webhook-id`, due at once. */
export function replayDelivery(app: App, teamId: string, webhookId: string, id: string) {
  return app.transaction(async (tx) => {
    const delivery = await findDelivery(tx.db, teamId, webhookId, id)
    if (!delivery) throw await notOwnWebhook(tx.db, teamId, webhookId, 'delivery')
    const { eventType, payload } = delivery
    const replay = await addDelivery(tx, { teamId, webhookId, eventType, payload })
    await tx.db
      .updateTable('webhook_deliveries')
      .set({ replayed_at: tx.now })
      .where('team_id', '=', teamId)
      .where('webhook_id', '=', webhookId)
      .where('id', '=', id)
      .execute()
    return replay
  })
}
