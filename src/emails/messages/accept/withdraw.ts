import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import { deleteHeldJobs } from '../../../platform/jobs/leases.ts'
import { deleteJobs } from '../../../platform/jobs/waiting-jobs.ts'
import { deliverEmailJob } from '../../jobs.ts'
import { returnQuota, returnScheduled } from '../../quota/usage.ts'
import type { AcceptedEmail } from '../email.ts'

/**
 * Undoes the acceptance of an email and of those after it in its request: removes the rows, the jobs and the counts.
 * Throws `LeaseLost` if another process has begun to send the email. Returns those of `later` that stay, with their
 * jobs: immediate ones that another process has begun to send, and scheduled ones that a worker has begun or tried.
 */
export async function withdrawEmails(tx: Tx, email: AcceptedEmail, later: AcceptedEmail[]): Promise<AcceptedEmail[]> {
  const { teamId } = email
  const emails = [email, ...later]
  const jobs = emails.flatMap(({ job }) => job ?? [])
  const held = await deleteHeldJobs(tx, jobs)
  if (email.job && !held.has(email.job)) throw new LeaseLost()
  const immediate = emails.filter(({ job }) => job && held.has(job))
  await deleteEmails(tx, teamId, idsOf(immediate), { onlyWaiting: false })
  const scheduled = await deleteEmails(tx, teamId, idsOf(emails.filter(({ job }) => !job)), { onlyWaiting: true })
  // The count is locked after the emails, as it is where an email is cancelled.
  await returnQuota(tx, teamId, immediate)
  for (const id of scheduled) await returnScheduled(tx, teamId, id)
  await deleteJobs(tx, [deliverEmailJob], scheduled)
  const withdrawn = new Set([...idsOf(immediate), ...scheduled])
  return later.filter(({ id }) => !withdrawn.has(id))
}

/** Removes emails, or only those of them that wait for their time. Returns the ids of those removed. */
async function deleteEmails(
  tx: Tx,
  teamId: string,
  ids: string[],
  { onlyWaiting }: { onlyWaiting: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from emails where team_id = ${teamId} and id = any(${ids}::uuid[])
      and (not ${onlyWaiting} or (not dispatching and status = 'scheduled'))
    returning id
  `.execute(tx.db)
  return rows.map(({ id }) => id)
}

function idsOf(emails: AcceptedEmail[]): string[] {
  return emails.map(({ id }) => id)
}
