import type pg from 'pg'

/**
 * Fails the deliveries that were due when a backup was restored: they may have been made since the backup. Their teams
 * can replay them. Part of the transaction that writes all rows.
 */
export async function failDueDeliveries(client: pg.ClientBase, restoredAt: Date): Promise<void> {
  await client.query(
    `update webhook_deliveries set status = 'failed', due_at = null, counted_at = $1 where due_at <= $1`,
    [restoredAt],
  )
}
