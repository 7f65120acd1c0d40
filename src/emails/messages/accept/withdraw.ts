import type { Tx } from '../../../context.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { deleteJob } from '../../../platform/jobs/waiting-jobs.ts'
import { deliverEmailJob } from '../../jobs.ts'
import { returnQuota, returnScheduled } from '../../quota/usage.ts'
import type { AcceptedEmail } from './accepted.ts'

/**
 * Undoes an acceptance: removes the rows, the job, the count and the key. Throws `LeaseLost` if another process has
 * begun to send the email.
 */
export async function withdraw(
  tx: Tx,
  { teamId, id, createdAt, job }: AcceptedEmail,
  key: RequestKey | null,
): Promise<void> {
  if (job) {
    const held = await deleteHeldJobs(tx, [job])
    if (!held.has(job)) throw new LeaseLost()
    await returnQuota(tx, teamId, [createdAt])
  }
  const email = tx.db.deleteFrom('emails').where('team_id', '=', teamId).where('id', '=', id)
  const waiting = email.where('dispatching', '=', false).where('status', '=', 'scheduled')
  const { numDeletedRows } = await (job ? email : waiting).executeTakeFirst()
  if (!job) {
    if (numDeletedRows === 1n) await returnScheduled(tx, teamId, id)
    await deleteJob(tx, deliverEmailJob, id)
  }
  if (key) await deleteRequestKeys(tx, [key])
}
