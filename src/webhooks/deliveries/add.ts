import type { Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import { parseExactly } from '../../platform/numbers/exact-number.ts'
import { lockWebhook, notOwnWebhook } from '../queries.ts'
import { insertDeliveries, type NewDelivery } from './insert.ts'
import { findDelivery } from './queries.ts'

/** Adds a pending delivery that is due at once, and returns it with its payload. Throws as `lockActiveWebhook`. */
export async function addDelivery(tx: Tx, delivery: NewDelivery) {
  const { teamId, webhookId, payload } = delivery
  await lockActiveWebhook(tx, teamId, webhookId)
  const [id] = insertDeliveries(tx, [delivery])
  const added = await findDelivery(tx.db, teamId, webhookId, id!)
  return { ...added!, payload: parseExactly(payload) as object }
}

/** Locks a webhook's status until the transaction ends. Throws as `notOwnWebhook`, and `conflict` if it is inactive. */
export async function lockActiveWebhook(tx: Tx, teamId: string, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, teamId, id)
  if (!webhook) throw await notOwnWebhook(tx.db, teamId, id)
  if (webhook.status === 'inactive') {
    throw conflict('The webhook is inactive. Set its status to active, then repeat this request.')
  }
}
