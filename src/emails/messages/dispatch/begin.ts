import { sql } from 'kysely'
import { limitsOf } from '../../../billing/plans.ts'
import type { App, LimitOverrides, Plan, Tx } from '../../../context.ts'
import { findSendingDomains, type SendingDomain } from '../../../domains/queries.ts'
import { findHeldJobs } from '../../../platform/jobs/leases.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { uniqueAddresses } from '../../../platform/text/mail-address.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { addresseeKey, findSuppressed } from '../../../suppressions/queries.ts'
import type { EmailJob } from '../../jobs.ts'
import { addressesOf } from '../../mailbox.ts'
import { cancelIfUnwanted } from '../../of-broadcasts/cancel-unwanted.ts'
import type { BroadcastEmail } from '../../of-broadcasts/render.ts'
import { takeQuotas } from '../../quota/usage.ts'
import { sentBit } from '../facts/consequences.ts'
import { sentFact } from '../facts/make.ts'
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
  /** It was handed over, or was reported to be. */
  isSent: boolean
  /** An answer was lost before. */
  mayBeOut: boolean
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
  const begun = await beginHeld(tx, [...held], emails)
  return jobs.map((job) => (held.has(job) && begun.get(job.key)) || { kind: 'gone' })
}

/** Begins the emails of jobs whose lease is held. Returns the result of each by id, without those that are gone. */
async function beginHeld(
  tx: Tx,
  jobs: EmailJob[],
  locked: Map<string, WaitingEmail>,
): Promise<Map<string, Begun | Error>> {
  const emails = await endNeedless(
    tx,
    jobs.flatMap(({ key }) => locked.get(key) ?? []),
  )
  const waits = await countAll(tx, jobs, emails)
  const ready = emails.filter(({ id }) => !waits.has(id))
  const repeated = new Set(jobs.flatMap(({ key, payload }) => (payload.failures || payload.lost ? [key] : [])))
  tx.unread(markDispatching(tx, ready, repeated))
  const addressed = ready.map((email) => ({ email, all: recipientsOf(email) }))
  const world = await readWorld(tx, addressed)
  return new Map<string, Begun | Error>([
    ...[...waits].map(([id, until]) => [id, { kind: 'wait', until }] as const),
    ...addressed.map((each) => [each.email.id, begunOf(each, world)] as const),
  ])
}

/** Settles emails that were sent before, and cancels those that no recipient wants any more. Returns the others. */
async function endNeedless(tx: Tx, emails: WaitingEmail[]): Promise<WaitingEmail[]> {
  const without = (left: WaitingEmail[], ids: string[]) => left.filter(({ id }) => !ids.includes(id))
  const unreported = without(emails, await settleReported(tx, emails))
  const unbegun = unreported.filter(({ broadcast, dispatching }) => broadcast && !dispatching)
  const wanted = without(unreported, await cancelIfUnwanted(tx, unbegun))
  return without(wanted, await settleAnswered(tx, wanted))
}

type AddressedEmail = { email: WaitingEmail; all: string[] }
type World = { domains: Map<string, SendingDomain>; suppressed: Set<string> }

/** Reads what a hand-over depends on beside the email. */
async function readWorld(tx: Tx, emails: AddressedEmail[]): Promise<World> {
  const names = emails.map(({ email }) => ({ teamId: email.teamId, name: email.domainName }))
  const addressees = emails.flatMap(({ email: { teamId, system }, all }) =>
    all.map((address) => ({ teamId, address, system })),
  )
  const [domains, suppressed] = await Promise.all([
    findSendingDomains(tx, names, { lock: false }),
    findSuppressed(tx, addressees),
  ])
  return { domains: new Map(domains.map((domain) => [`${domain.teamId} ${domain.name}`, domain])), suppressed }
}

function begunOf({ email, all }: AddressedEmail, { domains, suppressed }: World): Begun | Error {
  const { id, teamId, system, domainName } = email
  const domain = domains.get(`${teamId} ${domainName}`)
  // A domain with waiting mail cannot be deleted, so a missing one is a bug, which must not lose the mail.
  if (!domain) return new Error(`The domain of email ${id} is missing.`)
  const isBlocked = (address: string) => suppressed.has(addresseeKey({ teamId, address, system }))
  const recipients = all.filter((address) => !isBlocked(address))
  return { kind: 'ready', email, domain, recipients, suppressed: all.filter(isBlocked) }
}

/**
 * Looks up each row by its whole key, in a form that leaves the planner no choice. With the team as a constant it may
 * read all emails of the team when its statistics are poor. The lock lets inserts of events pass: they refer to emails,
 * and a transaction that adds several may hold them in another order.
 */
async function lockWaiting(tx: Tx, jobs: EmailJob[]): Promise<Map<string, WaitingEmail>> {
  const wanted = jobs.map((job) => ({ teamId: job.teamId, key: job.key, mayBeOut: mayBeOut(job) }))
  const { rows } = await sql<WaitingEmail>`
    with email as materialized (
      select email.*, job.may_be_out
      from ${rowsOf(wanted, { teamId: 'uuid', key: 'uuid', mayBeOut: 'bool' }).as('job')}
      join emails as email on email.team_id = job.team_id and email.id = job.key
      where email.dispatching or (email.sent_at is null and status in ('scheduled', 'delayed'))
        -- A process that recorded the sending may have died before it removed the job.
        or (email.sent_at is not null and not job.may_be_out and email.seen & ${sentBit}::int = 0)
      order by email.id for no key update of email
    )
    select email.team_id as "teamId", email.id, message_id as "messageId", from_address as "from", to_addresses as "to",
      cc_addresses as "cc", bcc_addresses as "bcc", reply_to as "replyTo", subject, ${givenHeaders} as headers, tags, system,
      untracked, ${messageDate} as date, ${hasMessageDate} as "hasDate", domain_name as "domainName", dispatching, status, sent_at is not null as "isSent", may_be_out as "mayBeOut", plan, limit_overrides as "limitOverrides", broadcast
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
 * Records the sending of emails that a process handed over before it died, or before it got an answer, where the
 * provider has reported on them since. Returns their ids: they are not sent again.
 */
async function settleReported(tx: Tx, emails: WaitingEmail[]): Promise<string[]> {
  const reported = emails.filter((email) => email.isSent && !email.mayBeOut)
  const messageOf = (email: WaitingEmail) => {
    return {
      messageId: email.messageId,
      envelope: { to: recipientsOf(email) },
      summary: { from: email.from },
      at: tx.now,
    }
  }
  if (reported.length > 0)
    await recordEmailFacts(
      tx,
      reported.map((email) => {
        const { teamId, id: emailId, tags, system } = email
        return { teamId, emailId, fields: { tags, system }, facts: [sentFact(messageOf(email), null)], settled: true }
      }),
    )
  return reported.map(({ id }) => id)
}

/**
 * Ends emails whose answer was lost and whose receiving side has reported since, so that they are not sent again.
 * Returns their ids.
 */
async function settleAnswered(tx: Tx, emails: WaitingEmail[]): Promise<string[]> {
  const answered = emails.filter(({ isSent, status }) => isSent && !open.has(status))
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
async function countAll(tx: Tx, jobs: EmailJob[], emails: WaitingEmail[]): Promise<Map<string, Date>> {
  const counted = new Set(jobs.flatMap(({ key, payload }) => (payload.counted ? [key] : [])))
  const uncounted = emails.filter(({ id, dispatching }) => !dispatching && !counted.has(id))
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
  return uniqueAddresses(addressesOf(email).filter((address) => address !== erased))
}
