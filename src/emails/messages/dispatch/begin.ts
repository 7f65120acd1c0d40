import { sql } from 'kysely'
import { limitsOf } from '../../../billing/plans.ts'
import type { App, LimitOverrides, Plan, Tx } from '../../../context.ts'
import { findSendingDomains, type SendingDomain } from '../../../domains/queries.ts'
import { findHeldJobs } from '../../../platform/jobs/leases.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { uniqueAddresses } from '../../../platform/text/mail-address.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { addresseeKey, findSuppressed } from '../../../suppressions/queries.ts'
import type { BroadcastEmail } from '../../broadcast-content/render.ts'
import { withdrawUnwanted } from '../../broadcast-content/withdraw.ts'
import type { EmailJob } from '../../jobs.ts'
import { addressesOf } from '../../mailbox.ts'
import { takeQuotas } from '../../quota/usage.ts'
import { recordEmailFacts } from '../facts/record.ts'
import { givenHeaders, hasMessageDate, headersWithDate, messageDate } from '../outbound/date.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { EmailStatus } from '../statuses.ts'
import { mayBeOut } from './ending.ts'

/** The row of an email that waits. Its bodies are read, or rendered from a broadcast's, when it is sent. */
type WaitingEmail = Omit<Outbound, 'html' | 'text' | 'attachments' | 'source' | 'recipients' | 'domain'> & {
  domainName: string
  tags: Record<string, unknown> | null
  dispatching: boolean
  hasDate: boolean
  status: EmailStatus
  broadcast: Omit<BroadcastEmail, 'teamId'> | null
  plan: Plan
  limitOverrides: LimitOverrides
}

export type Begun =
  | { kind: 'ready'; email: WaitingEmail; domain: SendingDomain; recipients: string[]; suppressed: string[] }
  /** A limit of the team is reached until `until`. */
  | { kind: 'wait'; until: Date }
  /** The email is cancelled, rescheduled, sent already, or withdrawn. */
  | { kind: 'gone' }

/** Marks a waiting email as being dispatched: it can no longer be cancelled or rescheduled. Several share a commit. */
export const beginDispatch: (app: App, job: EmailJob) => Promise<Begun> = gatheredFor(
  (app, jobs) => app.transaction((tx) => beginAll(tx, jobs)),
  { itemsMax: 100, flushesMax: 2 },
)

async function beginAll(tx: Tx, jobs: EmailJob[]): Promise<(Begun | Error)[]> {
  const emails = await lockWaiting(tx, jobs)
  // A reschedule, which changes the email first, voids the lease. It may commit after the claim and before the lock.
  const held = await findHeldJobs(tx.db, jobs)
  const ours = await beginHeld(tx, [...held], emails)
  return jobs.map((job) => ours.get(job) ?? { kind: 'gone' })
}

/** Begins the emails of jobs whose lease is held. */
async function beginHeld(tx: Tx, jobs: EmailJob[], locked: Map<string, WaitingEmail>) {
  const emails = new Map(jobs.flatMap(({ key }) => (locked.has(key) ? [[key, locked.get(key)!]] : [])))
  const unbegun = [...emails.values()].filter(({ broadcast, dispatching }) => broadcast && !dispatching)
  for (const id of await withdrawUnwanted(tx, unbegun)) emails.delete(id)
  for (const id of await settleAnswered(tx, [...emails.values()])) emails.delete(id)
  const waits = await countAll(tx, jobs, emails)
  const found = [...emails.values()].filter((email) => !waits.has(email.id))
  const repeated = new Set(jobs.flatMap(({ key, payload }) => (payload.failures || payload.lost ? [key] : [])))
  tx.unread(markDispatching(tx, found, repeated))
  const names = found.map(({ teamId, domainName }) => ({ teamId, name: domainName }))
  const recipients = new Map(found.map((email) => [email.id, recipientsOf(email)]))
  const addressees = found.flatMap(({ id, teamId, system }) =>
    recipients.get(id)!.map((address) => ({ teamId, address, system })),
  )
  const [domains, suppressed] = await Promise.all([
    findSendingDomains(tx, names, { lock: false }),
    findSuppressed(tx, addressees),
  ])
  const byName = new Map(domains.map((domain) => [`${domain.teamId} ${domain.name}`, domain]))
  const begun = (job: EmailJob): Begun | Error => {
    const email = emails.get(job.key)
    const until = waits.get(job.key)
    const domain = email && byName.get(`${email.teamId} ${email.domainName}`)
    if (until) return { kind: 'wait', until }
    if (!email) return { kind: 'gone' }
    // A domain with waiting mail cannot be deleted, so a missing one is a bug, which must not lose the mail.
    if (!domain) return new Error(`The domain of email ${email.id} is missing.`)
    const { teamId, system } = email
    const isBlocked = (address: string) => suppressed.has(addresseeKey({ teamId, address, system }))
    const all = recipients.get(email.id)!
    return {
      kind: 'ready',
      email,
      domain,
      recipients: all.filter((address) => !isBlocked(address)),
      suppressed: all.filter(isBlocked),
    }
  }
  return new Map(jobs.map((job) => [job, begun(job)]))
}

/**
 * Looks up each row by its whole key, in a form that leaves the planner no choice. With the team as a constant it may
 * read all emails of the team when its statistics are poor. The lock lets inserts of events pass: they refer to emails,
 * and a transaction that adds several may hold them in another order.
 */
async function lockWaiting(tx: Tx, jobs: EmailJob[]): Promise<Map<string, WaitingEmail>> {
  const wanted = jobs.map((job) => ({ teamId: job.teamId, key: job.key, isOut: mayBeOut(job) }))
  const { rows } = await sql<WaitingEmail>`
    with email as materialized (
      select email.*
      from ${rowsOf(wanted, { teamId: 'uuid', key: 'uuid', isOut: 'bool' }).as('job')}
      join emails as email on email.team_id = job.team_id and email.id = job.key
      where (email.sent_at is null and status in ('scheduled', 'delayed')) or (job.is_out and email.dispatching)
      order by email.id for no key update of email
    )
    select email.team_id as "teamId", email.id, message_id as "messageId", from_address as "from", to_addresses as "to",
      cc_addresses as "cc", bcc_addresses as "bcc", reply_to as "replyTo", subject, ${givenHeaders} as headers, tags, system,
      untracked, ${messageDate} as date, ${hasMessageDate} as "hasDate", domain_name as "domainName", dispatching, status, plan, limit_overrides as "limitOverrides", broadcast
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

/**
 * Ends emails whose answer was lost and whose receiving side has reported since, so that they are not sent again.
 * Returns their ids.
 */
async function settleAnswered(tx: Tx, emails: WaitingEmail[]): Promise<string[]> {
  const answered = emails.filter(({ status }) => !open.has(status))
  if (answered.length > 0)
    await recordEmailFacts(
      tx,
      answered.map(({ teamId, id }) => ({ teamId, emailId: id, facts: [], settled: true })),
    )
  return answered.map(({ id }) => id)
}

const open = new Set<EmailStatus>(['scheduled', 'sent', 'delayed'])

/**
 * Counts scheduled mail on the day it is sent. A repeat, or an email whose request died, was counted before. Returns,
 * by id, the times until which emails over a limit wait.
 */
async function countAll(tx: Tx, jobs: EmailJob[], emails: Map<string, WaitingEmail>): Promise<Map<string, Date>> {
  const uncounted = jobs.flatMap((job) => {
    const email = emails.get(job.key)
    return email && !email.dispatching && !job.payload.counted ? [email] : []
  })
  const asks = uncounted.map((email) => ({
    teamId: email.teamId,
    count: 1,
    scheduledEmails: -1,
    // A link that waits for the next day would have ended.
    limits: email.system ? { ...limitsOf(email), dailyEmailLimit: Number.MAX_SAFE_INTEGER } : limitsOf(email),
  }))
  const grants = await takeQuotas(tx, asks)
  return new Map(
    uncounted.flatMap((email, index) => {
      const { refusal, retryAt } = grants[index]!
      return refusal && retryAt ? [[email.id, retryAt] as const] : []
    }),
  )
}

/**
 * `Date` is the time of the first attempt, and stays in repeats. Scheduled and planned mail may have waited for long
 * before.
 */
async function markDispatching(tx: Tx, emails: WaitingEmail[], repeated: Set<string>): Promise<void> {
  const fresh = emails
    .filter((email) => !email.dispatching)
    .map((email) => ({ teamId: email.teamId, id: email.id, email, isFirst: !email.hasDate && !repeated.has(email.id) }))
  if (fresh.length === 0) return
  for (const { email, isFirst } of fresh) if (isFirst) email.date = tx.now
  await tx.send(sql`
    update emails set dispatching = true, headers = case when begun.is_first then ${headersWithDate(tx.now)} else headers end
    from ${rowsOf(fresh, { teamId: 'uuid', id: 'uuid', isFirst: 'bool' }).as('begun')}
    where emails.team_id = begun.team_id and emails.id = begun.id
  `)
}

function recipientsOf(email: WaitingEmail): string[] {
  return uniqueAddresses(addressesOf(email))
}
