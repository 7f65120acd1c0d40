import type { App, Caller } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { deleteJob } from '../../platform/jobs/waiting-jobs.ts'
import { getEmail } from '../get.ts'
import { deliverEmailJob } from '../jobs.ts'
import { outdateStatusCounts } from '../list/outdate-counts.ts'
import { returnBroadcastQuota } from '../of-broadcasts/cancel.ts'
import { returnScheduled } from '../quota/usage.ts'
import type { Email } from '../schema.ts'
import { changeWaiting } from './change-waiting.ts'

/** Cancels a scheduled email. Throws `conflict` if it is no longer scheduled or is being sent. */
export async function cancelEmail(app: App, caller: Caller, id: string): Promise<Email> {
  const email = await getEmail(app, caller, id)
  await app.transaction(async (tx) => {
    await changeWaiting(tx, caller.teamId, id, { status: 'cancelled' })
    await returnScheduled(tx, caller.teamId, id)
    await returnBroadcastQuota(tx, caller.teamId, [id])
    await outdateStatusCounts(tx, [{ teamId: caller.teamId, emailId: id }])
    await deleteJob(tx, deliverEmailJob, id)
    await publish(tx, [
      { type: 'email.ended_unsent', teamId: caller.teamId, data: { emailId: id, reason: 'cancelled' } },
    ])
  })
  return { ...email, status: 'cancelled' }
}
