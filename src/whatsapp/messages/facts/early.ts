import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../../context.ts'
import type { DeliveryStatus } from '../statuses.ts'

/**
 * The lock for statuses that a provider reports before its answer, with the message's id, is recorded. A transaction
 * that records such ids and one that keeps a status without a known id exclude each other, so that either the first
 * finds the status or the second finds the id. Both take the lock before they lock any row.
 */
const lockName = 'whatsapp_early_statuses'

type EarlyStatus = {
  providerMessageId: string
  status: DeliveryStatus
  data: Record<string, unknown> | null
}

/** Shared: any number of transactions may record ids at the same time. */
export async function lockForRecording(tx: Tx): SentAtOnce {
  await tx.send(sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`)
}

export async function lockForKeeping(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(tx.db)
}

/** Keeps statuses of unknown messages, for the transaction that records their ids. */
export async function keepStatuses(tx: Tx, statuses: EarlyStatus[]): Promise<void> {
  if (statuses.length === 0) return
  const rows = statuses.map(({ providerMessageId, status, data }) => {
    return { provider_message_id: providerMessageId, status, data }
  })
  await sql`
    insert into whatsapp_early_statuses (provider_message_id, status, data, received_at)
    select provider_message_id, status, data, ${tx.now}
    from json_populate_recordset(null::whatsapp_early_statuses, ${JSON.stringify(rows)}::json)
    on conflict (provider_message_id, status) do nothing
  `.execute(tx.db)
}

/** Removes and returns the statuses that arrived before these ids were recorded. */
export function takeStatuses(tx: Tx, providerMessageIds: string[]): Promise<EarlyStatus[]> {
  return tx.send(sql<EarlyStatus>`
    delete from whatsapp_early_statuses where provider_message_id = any(${providerMessageIds}::text[])
    returning provider_message_id as "providerMessageId", status, data
  `)
}
