import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { wakeEndpoints } from '../dispatch/wake.ts'

export type NewDelivery = { teamId: string; webhookId: string; eventType: string; payload: string }

/**
 * Inserts pending deliveries that are due at once, in one statement, and does not wait for its answer. The transaction
 * must hold the locks of their webhooks. Returns the ids.
 */
export function insertDeliveries(tx: Tx, deliveries: NewDelivery[]): string[] {
  if (deliveries.length === 0) return []
  const rows = deliveries.map((delivery) => ({ ...delivery, id: tx.newId() }))
  const columns = { teamId: 'uuid', webhookId: 'uuid', id: 'uuid', eventType: 'text', payload: 'text' } as const
  void tx.send(sql`
    insert into webhook_deliveries (team_id, webhook_id, id, event_type, payload, due_at, created_at)
    select team_id, webhook_id, id, event_type, payload, ${tx.now}, ${tx.now}
    from ${rowsOf(rows, columns).as('new')}
  `)
  const endpoints = new Map(deliveries.map(({ teamId, webhookId }) => [webhookId, { teamId, id: webhookId }]))
  tx.withCommit(wakeEndpoints(tx, [...endpoints.values()]))
  return rows.map(({ id }) => id)
}
