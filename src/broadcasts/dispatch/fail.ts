import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { JobHopeless, LeaseLost } from '../../platform/jobs/job.ts'
import { findHeldJobs } from '../../platform/jobs/leases.ts'
import type { DispatchJob } from '../jobs.ts'
import { lockBroadcastRow, updateBroadcastRow } from '../queries.ts'
import { finishBroadcast } from './finish.ts'

/** Recipients in a row that may be skipped. More are the broadcast's fault. */
const skippedMax = 25

/**
 * Goes on without the next recipient, because several attempts failed there. After the n-th in a row it waits (n - 1)³
 * seconds, 25 hours in all, so that a fault that passes within a day ends no broadcast. Throws if there is no such
 * recipient.
 */
export async function skipRecipient(app: App, job: DispatchJob, error: Error) {
  const skipped = (job.payload.skipped ?? 0) + 1
  if (skipped > skippedMax)
    throw new JobHopeless(`${skippedMax} recipients in a row failed. The last one: ${error.message}`)
  if (!(await app.transaction((tx) => recordFailed(tx, job)))) throw error
  app.log.error({ err: error, broadcast: job.key, skipped }, 'a broadcast goes on without a recipient')
  return { runAt: new Date(app.clock.now().getTime() + (skipped - 1) ** 3 * 1000), payload: { skipped } }
}

/** False if no recipient is next, so the failure is not one of them. */
async function recordFailed(tx: Tx, job: DispatchJob): Promise<boolean> {
  const { teamId, key } = job
  const broadcast = await lockBroadcastRow(tx, teamId, key)
  // Another process may have gone on meanwhile, or a cancellation removed the job. The next recipient has not failed.
  if (!(await findHeldJobs(tx.db, [job])).has(job)) throw new LeaseLost()
  if (broadcast?.status !== 'sending' || broadcast.planned_at === null) return false
  const { rows } = await sql<{ reached: string }>`
    update broadcast_recipients set outcome = 'failed'
    where team_id = ${teamId} and broadcast_id = ${key} and outcome is null and contact_id = (
      select contact_id from broadcast_recipients
      where team_id = ${teamId} and broadcast_id = ${key} and contact_id > ${broadcast.reached} order by contact_id limit 1
    )
    returning contact_id as reached
  `.execute(tx.db)
  const [next] = rows
  if (!next) return false
  await updateBroadcastRow(tx, teamId, key, next)
  return true
}

/** Ends a broadcast whose job is discarded. One that has not begun becomes a draft again. */
export async function failBroadcast(_: App, tx: Tx, { teamId, key }: DispatchJob): Promise<void> {
  const broadcast = await lockBroadcastRow(tx, teamId, key)
  if (broadcast?.status === 'scheduled' || broadcast?.status === 'queued')
    await updateBroadcastRow(tx, teamId, key, { status: 'draft' })
  if (broadcast?.status !== 'sending') return
  await updateBroadcastRow(tx, teamId, key, { failed_at: tx.now })
  await finishBroadcast(tx, teamId, key, 'failed')
}

/** Lets a failed broadcast go on with the recipients that it has not reached. Returns why it cannot, or null. */
export async function resumeFailed(tx: Tx, { teamId, key }: DispatchJob): Promise<string | null> {
  const { numUpdatedRows } = await tx.db
    .updateTable('broadcasts')
    .set({ status: 'sending', sent_at: null, failed_at: null })
    .where('team_id', '=', teamId)
    .where('id', '=', key)
    .where('status', '=', 'sent')
    .where('failed_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? null : 'The broadcast is a draft again, or deleted: its team sends it.'
}
