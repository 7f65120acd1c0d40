import { sql } from 'kysely'
import type { LimitOverrides, Plan, Tx } from '../../../context.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { uniqueAddresses } from '../../../platform/text/mail-address.ts'
import type { EmailJob } from '../../jobs.ts'
import { addressesOf } from '../../mailbox.ts'
import type { BroadcastEmail } from '../../of-broadcasts/fill.ts'
import type { Outbound } from '../email.ts'
import { sentBit } from '../facts/consequences.ts'
import { givenHeaders, hasMessageDate, messageDate } from '../outbound/date.ts'
import type { EmailStatus } from '../statuses.ts'
import { answerWasLost, hasCutMark } from './ending.ts'

/** The row of an email that waits. Its bodies are read, or filled from a broadcast's, when it is sent. */
export type WaitingEmail = Omit<Outbound, 'html' | 'text' | 'attachments' | 'source' | 'recipients' | 'domain'> & {
  domainName: string
  tags: Record<string, unknown> | null
  dispatching: boolean
  hasDate: boolean
  status: EmailStatus
  /** It was handed over, or was reported to be. */
  isSent: boolean
  /** An answer was lost before. */
  answerWasLost: boolean
  /** A process that ended may have handed it over, and it was tried again since. */
  hasCutMark: boolean
  broadcast: Omit<BroadcastEmail, 'teamId'> | null
  plan: Plan
  limitOverrides: LimitOverrides
}

/**
 * Locks the waiting emails of the jobs, and returns them by id. Looks up each row by its whole key, in a form that
 * leaves the planner no choice. With the team as a constant it may read all emails of the team when its statistics are
 * poor. The lock lets inserts of events pass: they refer to emails, and a transaction that adds several may hold them
 * in another order.
 */
export async function lockWaiting(tx: Tx, jobs: EmailJob[]): Promise<Map<string, WaitingEmail>> {
  const wanted = jobs.map((job) => {
    const { teamId, key } = job
    return { teamId, key, answerWasLost: answerWasLost(job), hasCutMark: hasCutMark(job) }
  })
  const { rows } = await sql<WaitingEmail>`
    with email as materialized (
      select email.*, job.answer_was_lost, job.has_cut_mark
      from ${rowsOf(wanted, { teamId: 'uuid', key: 'uuid', answerWasLost: 'bool', hasCutMark: 'bool' }).as('job')}
      join emails as email on email.team_id = job.team_id and email.id = job.key
      where email.dispatching or (email.sent_at is null and status in ('scheduled', 'delayed'))
        -- The provider has reported on it, and no process has recorded its hand-over.
        or (email.sent_at is not null and not job.answer_was_lost and email.seen & ${sentBit}::int = 0)
      order by email.id for no key update of email
    )
    select email.team_id as "teamId", email.id, message_id as "messageId", from_address as "from", to_addresses as "to",
      cc_addresses as "cc", bcc_addresses as "bcc", reply_to as "replyTo", subject, ${givenHeaders} as headers, tags, system,
      untracked, ${messageDate} as date, ${hasMessageDate} as "hasDate", domain_name as "domainName", dispatching, status,
      sent_at is not null as "isSent", answer_was_lost as "answerWasLost", has_cut_mark as "hasCutMark",
      plan, limit_overrides as "limitOverrides", broadcast
    from email
    cross join lateral (select plan, limit_overrides from teams where id = email.team_id limit 1) as team
    cross join lateral (
      select case when letter_id is not null then json_build_object('broadcastId', letter_id,
        'variables', coalesce(variables, '{}'), 'unsubscribeSeed', unsubscribe_seed) end as broadcast
      from email_contents where team_id = email.team_id and email_id = email.id limit 1
    ) as content
  `.execute(tx.db)
  return new Map(rows.map((email) => [email.id, email]))
}

export function recipientsOf(email: WaitingEmail): string[] {
  return uniqueAddresses(addressesOf(email).filter((address) => address !== erased))
}
