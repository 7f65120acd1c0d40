import type { App, Caller } from '../context.ts'
import { conflict, orNotFound } from '../platform/errors.ts'
import { deleteJob } from '../platform/jobs/waiting-jobs.ts'
import { beginStopping, cancelWaiting } from './dispatch/stop.ts'
import { getBroadcast } from './get.ts'
import { dispatchBroadcastJob } from './jobs.ts'
import { findBroadcast, lockBroadcast, updateBroadcastRow } from './queries.ts'
import type { Broadcast } from './schema.ts'

/**
 * Takes a scheduled or queued broadcast back to draft, and stops one that is sending. Throws `conflict` in other
 * states.
 */
export async function cancelBroadcast(app: App, caller: Caller, id: string): Promise<Broadcast> {
  await getBroadcast(app, caller, id)
  const { teamId } = caller
  const stopping = await app.transaction(async (tx) => {
    const { status } = await lockBroadcast(tx, teamId, id)
    if (status === 'draft' || status === 'sent') {
      throw conflict(`Only a scheduled, queued or sending broadcast can be cancelled; this one is ${status}.`)
    }
    if (status === 'sending') return beginStopping(tx, teamId, id)
    await updateBroadcastRow(tx, teamId, id, { status: 'draft' })
    await deleteJob(tx, dispatchBroadcastJob, id)
    return null
  })
  if (stopping) await cancelWaiting(app, stopping)
  return orNotFound('broadcast', findBroadcast(app.db, teamId, id))
}
