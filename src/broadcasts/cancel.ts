import type { App, Caller, Tx } from '../context.ts'
import { cancelBroadcastEmails, cancelDeliveries } from '../emails/broadcast-content/cancel.ts'
import { conflict } from '../platform/errors.ts'
import { deleteJob } from '../platform/jobs/waiting-jobs.ts'
import { findEmailsUnderWay, recordSkipped } from './dispatch/recipients.ts'
import { finishBroadcast } from './finish.ts'
import { getBroadcast } from './get.ts'
import { dispatchBroadcastJob } from './jobs.ts'
import { findBroadcast, lockBroadcast } from './queries.ts'
import type { Broadcast } from './schema.ts'

/**
 * Takes a scheduled or queued broadcast back to draft, and stops one that is sending. Throws `conflict` in other
 * states.
 */
export async function cancelBroadcast(app: App, caller: Caller, id: string): Promise<Broadcast> {
  await getBroadcast(app, caller, id)
  const { teamId } = caller
  return app.transaction(async (tx) => {
    const { status } = await lockBroadcast(tx, teamId, id)
    if (status === 'draft' || status === 'sent') {
      throw conflict(`Only a scheduled, queued or sending broadcast can be cancelled; this one is ${status}.`)
    }
    if (status === 'sending') await stopSending(tx, teamId, id)
    else await takeBack(tx, teamId, id)
    await deleteJob(tx, dispatchBroadcastJob, id)
    return (await findBroadcast(tx.db, teamId, id))!
  })
}

async function takeBack(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.db
    .updateTable('broadcasts')
    .set({ status: 'draft' })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute()
}

/**
 * Cancels the emails that are not being handed over yet, and those that wait for a host. Those being handed over are
 * still sent.
 */
async function stopSending(tx: Tx, teamId: string, id: string): Promise<void> {
  const emailIds = await findEmailsUnderWay(tx.db, teamId, id)
  await recordCancelled(tx, teamId, await cancelBroadcastEmails(tx, teamId, emailIds))
  for (let after: string | null = ''; after !== null; ) {
    const { ids, next }: { ids: string[]; next: string | null } = await cancelDeliveries(tx, teamId, id, after)
    await recordCancelled(tx, teamId, ids)
    after = next
  }
  await finishBroadcast(tx, teamId, id)
}

async function recordCancelled(tx: Tx, teamId: string, emailIds: string[]): Promise<void> {
  await recordSkipped(
    tx,
    emailIds.map((emailId) => ({ teamId, emailId })),
    'cancelled',
  )
}
