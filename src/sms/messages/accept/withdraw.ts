import { settleMessages } from '../../../billing/credit/settle.ts'
import type { Tx } from '../../../context.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { returnUsage } from '../../quota/usage.ts'
import type { AcceptedSms } from './accepted.ts'

/**
 * Removes an accepted message that was not sent, with its job, its count and its key. The ledger keeps the charge and
 * its reversal. Throws `LeaseLost` if another process has begun to send it.
 */
export async function withdrawSms(tx: Tx, message: AcceptedSms, key: RequestKey | null): Promise<void> {
  const { teamId, id, job, day, units } = message
  const held = await deleteHeldJobs(tx, [job])
  if (!held.has(job)) throw new LeaseLost()
  await returnUsage(tx, [{ teamId, day, messages: 1, units }])
  await settleMessages(tx, [{ teamId, messageId: id, billable: false }])
  await tx.db.deleteFrom('sms_messages').where('team_id', '=', teamId).where('id', '=', id).execute()
  await deleteRequestKeys(tx, [key])
}
