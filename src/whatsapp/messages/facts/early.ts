import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import type { Schedule } from '../../../platform/jobs/job.ts'
import type { DeliveryStatus } from '../statuses.ts'

/**
 * A provider may tell what became of a message before we have recorded under which id it took it. Whoever records such an
 * id, and whoever keeps a status that no recorded id matches, exclude each other by a lock: so either the one finds the
 * status or the other finds the id. Both take it before they lock any row.
 */
const lockName = 'whatsapp_early_statuses'

export type EarlyStatus = {
  providerMessageId: string
  status: DeliveryStatus
  data: Record<string, unknown> | null
}

/** Of those who record ids, any number at a time. */
export async function lockForRecording(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`.execute(tx.db)
}

export async function lockForKeeping(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(tx.db)
}

/** Keeps statuses of messages that are not known, for whoever records their ids. */
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

/** The statuses that came before these ids were recorded; they are kept no longer. */
export async function takeStatuses(tx: Tx, providerMessageIds: string[]): Promise<EarlyStatus[]> {
  const { rows } = await sql<EarlyStatus>`
    delete from whatsapp_early_statuses where provider_message_id = any(${providerMessageIds}::text[])
    returning provider_message_id as "providerMessageId", status, data
  `.execute(tx.db)
  return rows
}

/** Longer than any send takes to be recorded, with the database away for a while too. */
const keepMs = 3_600_000

/** What was kept this long is of messages that were never ours. */
export const forgetEarlyStatuses: Schedule = {
  kind: 'whatsapp.forget-early-statuses',
  everyMs: 600_000,
  async run(app: App) {
    const before = new Date(app.clock.now().getTime() - keepMs)
    await app.db.deleteFrom('whatsapp_early_statuses').where('received_at', '<', before).execute()
  },
}
