import type { App, Caller } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'
import { moveWaitingJob } from '../../platform/jobs/waiting-jobs.ts'
import { getEmail } from '../get.ts'
import { deliverEmailJob } from '../jobs.ts'
import type { Email } from '../schema.ts'
import { changeWaiting } from './change-waiting.ts'

/**
 * Moves a scheduled email to another time. Throws `invalid` for a time in the past, `conflict` if it is no longer
 * scheduled.
 */
export async function rescheduleEmail(app: App, caller: Caller, id: string, scheduledAt: string): Promise<Email> {
  const at = new Date(scheduledAt)
  if (at <= app.clock.now()) throw invalid('scheduledAt', 'must be in the future')
  const email = await getEmail(app, caller, id)
  await app.transaction(async (tx) => {
    await changeWaiting(tx, caller.teamId, id, { scheduled_at: at })
    await moveWaitingJob(tx, deliverEmailJob, id, at)
    tx.afterCommit(() => tx.jobs.wake())
  })
  return { ...email, status: 'scheduled', scheduledAt: at }
}
