import type { App } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { findDelivery } from './queries.ts'

/** Returns a delivery with its payload. Serialized as JSON again, the payload gives the bytes that were signed. */
export async function getDelivery(app: App, teamId: string, webhookId: string, id: string) {
  const delivery = await findDelivery(app.db, teamId, webhookId, id)
  if (!delivery) throw notFound('delivery')
  return { ...delivery, payload: JSON.parse(delivery.payload) as object }
}
