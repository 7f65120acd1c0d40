import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { wakeEndpoints } from '../dispatch/wake.ts'

export type NewDelivery = { teamId: string; webhookId: string; eventType: string; payload: string }

/** Inserts pending deliveries that are due at once, in one statement. The transaction must hold the locks of their webhooks. Returns the ids. */
export async function insertDeliveries(tx: Tx, deliveries: NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return []
  const ids = deliveries.map(() => tx.newId())
  const teams = deliveries.map(({ teamId }) => teamId)
  const webhooks = deliveries.map(({ webhookId }) => webhookId)
  const types = deliveries.map(({ eventType }) => eventType)
  const payloads = deliveries.map(({ payload }) => payload)
  await sql`
    insert into webhook_deliveries (team_id, webhook_id, id, event_type, payload, due_at, created_at)
    select team_id, webhook_id, id, event_type, payload, ${tx.now}, ${tx.now}
    from unnest(${teams}::uuid[], ${webhooks}::uuid[], ${ids}::uuid[], ${types}::text[], ${payloads}::text[])
      as new (team_id, webhook_id, id, event_type, payload)
  `.execute(tx.db)
  const endpoints = new Map(deliveries.map(({ teamId, webhookId }) => [webhookId, { teamId, id: webhookId }]))
  await wakeEndpoints(tx, [...endpoints.values()])
  return ids
}
