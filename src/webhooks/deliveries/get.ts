import type { App } from '../../context.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'
import { notOwnWebhook } from '../queries.ts'
import { findDelivery } from './queries.ts'

/** Returns a delivery with its payload. Serialized as JSON again, the payload gives the bytes that were signed. */
export async function getDelivery(app: App, teamId: string, webhookId: string, id: string) {
  const delivery = await findDelivery(app.db, teamId, webhookId, id)
  if (!delivery) throw await notOwnWebhook(app.db, teamId, webhookId, 'delivery')
  return { ...delivery, payload: parseExactly(delivery.payload) as object }
}
