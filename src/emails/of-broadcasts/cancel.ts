import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { deleteJobs, deleteUntakenJobs, isUntakenJob } from '../../platform/jobs/waiting-jobs.ts'
import { deliverEmailJob, deliverToDomainJob } from '../jobs.ts'
import { outdateStatusCounts } from '../list/outdate-counts.ts'
import { returnQuota } from '../quota/usage.ts'

/** Deliveries that are cancelled at once, as many as a broadcast otherwise has under way. */
const pageMax = 2000

/** Cancels the emails that no provider may have and that are not being handed over. Returns their ids. */
export async function cancelBroadcastEmails(tx: Tx, teamId: string, emailIds: string[]): Promise<string[]> {
  const { rows } = await sql<Cancelled>`
    update emails set status = 'cancelled'
    where team_id = ${teamId} and id = any(${emailIds}::uuid[])
      and status in ('scheduled', 'delayed') and sent_at is null and not dispatching and not exists (
        select from jobs where kind = ${deliverEmailJob.kind} and key = emails.id::text and ${jobHasCutMark}
      )
    returning id, created_at as "createdAt"
  `.execute(tx.db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  await noteCancelled(tx, teamId, rows)
  await deleteJobs(tx, [deliverEmailJob], ids)
  return ids
}

/**
 * Cancels emails of a broadcast that wait for the hosts of their recipient's domain, a page at a time. `after` is the
 * `next` of the page before, and empty at first.
 */
export async function cancelDeliveries(
  tx: Tx,
  teamId: string,
  broadcastId: string,
  after: string,
): Promise<{ ids: string[]; next: string | null }> {
  const found = await lockWaiting(tx, teamId, broadcastId, after)
  const keys = found.map(({ key }) => key)
  // A page is shorter where an email was deleted while its lock was awaited.
  const next = keys.at(-1) ?? null
  const deleted = await deleteUntakenJobs(tx, deliverToDomainJob, keys)
  const ids = found.flatMap(({ key, emailId }) => (deleted.has(key) ? emailId : []))
  if (ids.length === 0) return { ids, next }
  const { rows } = await sql<Cancelled>`
    update emails set status = 'cancelled', dispatching = false, counted_at = ${tx.now}
    where team_id = ${teamId} and id = any(${ids}::uuid[])
    returning id, created_at as "createdAt"
  `.execute(tx.db)
  await noteCancelled(tx, teamId, rows)
  return { ids, next }
}

/** The condition that a process ended while it handed the email of a job over. */
const jobHasCutMark = sql`jobs.payload ? 'cut'`

/** An email of a broadcast is counted when it is made. */
type Cancelled = { id: string; createdAt: Date }

async function noteCancelled(tx: Tx, teamId: string, emails: Cancelled[]): Promise<void> {
  const outdated = emails.map(({ id: emailId }) => ({ teamId, emailId }))
  await outdateStatusCounts(tx, outdated)
  await returnQuota(tx, teamId, emails)
}

/**
 * Returns the quota of emails of broadcasts that are cancelled or deleted one by one, where none of them can have been
 * handed over. The caller has locked the emails. Their jobs show what they took, so call it before those are removed.
 */
export async function returnBroadcastQuota(tx: Tx, teamId: string, emailIds: string[]): Promise<void> {
  const kinds = [deliverEmailJob.kind, deliverToDomainJob.kind]
  // An email of a broadcast has one job, and one recipient.
  const keys = emailIds.flatMap((id) => [id, `${id}/0`])
  const { rows } = await sql<{ createdAt: Date }>`
    select email.created_at as "createdAt" from jobs
    join emails as email on email.team_id = ${teamId} and email.id = left(jobs.key, 36)::uuid
    where kind = any(${kinds}::text[]) and key = any(${keys}::text[])
      and case when kind = ${deliverEmailJob.kind} then not dispatching and sent_at is null and not ${jobHasCutMark} else ${isUntakenJob} end
      and exists (
        select from email_contents where team_id = ${teamId} and email_id = email.id and letter_id is not null
      )
  `.execute(tx.db)
  if (rows.length > 0) await returnQuota(tx, teamId, rows)
}

type Waiting = { key: string; emailId: string }

/**
 * Finds deliveries that no host may have yet. Locks the emails before their jobs, in the order of their ids, as workers
 * do. An email of a broadcast has one job.
 */
async function lockWaiting(tx: Tx, teamId: string, broadcastId: string, after: string): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    with waiting as materialized (
      select key, content.email_id from jobs
      cross join lateral (
        select email_id from email_contents
        where team_id = jobs.team_id and email_id = left(jobs.key, 36)::uuid and letter_id = ${broadcastId} limit 1
      ) as content
      where kind = ${deliverToDomainJob.kind} and jobs.team_id = ${teamId} and key > ${after} and ${isUntakenJob}
      order by key limit ${pageMax}
    )
    select key, email.id as "emailId" from waiting
    join emails as email on email.team_id = ${teamId} and email.id = waiting.email_id
    order by email.id for no key update of email
  `.execute(tx.db)
  return rows
}
