import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { submittedRecipientsMax } from '../bounds.ts'
import { deliverEmailJob, deliverToDomainJob } from '../jobs.ts'

/** `isHeld`: a process has it now. `recipients`: null if it hands over the whole email. */
export type SendingJob = { key: string; emailId: string; isHeld: boolean; recipients: string[] | null }

/**
 * Finds the jobs that send these emails, by email, and locks those that wait, so that no process takes them. Only an
 * email that is `dispatching` has deliveries to domains.
 */
export async function lockSendingJobs(
  tx: Tx,
  emails: { id: string; dispatching: boolean }[],
): Promise<Map<string, SendingJob[]>> {
  const ids = emails.map(({ id }) => id)
  const begun = emails.flatMap(({ id, dispatching }) => (dispatching ? id : []))
  const isTheirs = sql`(
    (kind = ${deliverEmailJob.kind} and key = any(${ids}::text[]))
    or (kind = ${deliverToDomainJob.kind} and key = any(array(
      select concat(email_id, '/', domain) from unnest(${begun}::text[]) as email_id,
        generate_series(0, ${submittedRecipientsMax - 1}) as domain
    )))
  )`
  const { rows } = await sql<SendingJob>`
    select key, left(key, 36) as "emailId", payload -> 'recipients' as recipients,
      id not in (select id from jobs where ${isTheirs} and lease_token is null for update skip locked) as "isHeld"
    from jobs where ${isTheirs}
  `.execute(tx.db)
  return Map.groupBy(rows, ({ emailId }) => emailId)
}
