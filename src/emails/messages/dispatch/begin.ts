import { sql } from 'kysely'
import { limitsOf } from '../../../billing/plans.ts'
import type { App, SentAtOnce, Tx } from '../../../context.ts'
import { findSendingDomains, type SendingDomain, sendingDomainKey } from '../../../domains/queries.ts'
import { findHeldJobs, forgetTakeUps } from '../../../platform/jobs/leases.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import { allEnded } from '../../../platform/waiting/all-ended.ts'
import { addresseeKey, findSuppressed } from '../../../suppressions/queries.ts'
import type { Terms } from '../../../teams/queries.ts'
import type { EmailJob } from '../../jobs.ts'
import { findUnwanted } from '../../of-broadcasts/cancel-unwanted.ts'
import { takeQuotas } from '../../quota/usage.ts'
import { headersWithDate } from '../outbound/date.ts'
import { endNeedlessEmails } from './end-needless.ts'
import { hasCutMark } from './ending.ts'
import { lockWaiting, recipientsOf, type WaitingEmail } from './lock-waiting.ts'

export type Begun =
  | { kind: 'ready'; email: WaitingEmail; domain: SendingDomain; recipients: string[]; suppressed: string[] }
  /** A limit of the team is reached until `until`, by the terms that were read. */
  | { kind: 'wait'; until: Date; terms: Terms }
  /** The email is cancelled, rescheduled, sent already, or withdrawn. */
  | { kind: 'gone' }

/** Marks a waiting email as being dispatched: it can no longer be cancelled or rescheduled. Several share a commit. */
export const beginDispatch: (app: App, job: EmailJob) => Promise<Begun> = gatheredFor(
  (app, jobs) => app.transaction((tx) => beginAll(tx, jobs)),
  { itemsMax: 100, flushesMax: 2 },
)

/**
 * Begins the emails of jobs. Locks them, keeps those whose lease is held, ends those that need no hand-over, counts the
 * others against the limits, marks them, and reads what a hand-over depends on. `docs/decisions/hand-over.md`, "Which
 * fields say that an email may be out", explains the fields that decide.
 */
async function beginAll(tx: Tx, jobs: EmailJob[]): Promise<(Begun | Error)[]> {
  const emails = await lockWaiting(tx, jobs)
  // A reschedule, which changes the email first, voids the lease. It may commit after the claim and before the lock.
  const held = await findHeldJobs(tx.db, jobs)
  const cut = cutIds(tx, [...held], emails)
  const begun = await beginHeld(tx, [...held], emails, cut)
  return jobs.map((job) => (held.has(job) && begun.get(job.key)) || { kind: 'gone' })
}

/**
 * Returns the ids of emails that a process that ended may have handed over. Where it had not begun the email, it cannot
 * have: then the job loses the mark of that process, which `wasCut` knows once this is committed.
 */
function cutIds(tx: Tx, jobs: EmailJob[], locked: Map<string, WaitingEmail>): Set<string> {
  const isBegun = ({ key }: EmailJob) => locked.get(key)?.dispatching === true
  const takenUpInVain = jobs.filter((job) => job.wasTakenUp && !isBegun(job))
  tx.withCommit(forgetTakeUps(tx, takenUpInVain))
  tx.afterCommit(() => {
    for (const job of takenUpInVain) job.wasTakenUp = false
  })
  const cut = jobs.filter((job) => hasCutMark(job) || (job.wasTakenUp && isBegun(job)))
  return new Set(cut.map(({ key }) => key))
}

/** Begins the emails of jobs whose lease is held. Returns the result of each by id, without those that are gone. */
async function beginHeld(
  tx: Tx,
  jobs: EmailJob[],
  locked: Map<string, WaitingEmail>,
  cut: Set<string>,
): Promise<Map<string, Begun | Error>> {
  const waiting = jobs.flatMap(({ key }) => locked.get(key) ?? [])
  const emails = await endNeedlessEmails(tx, waiting)
  const waits = await takeQuotasOfUncounted(tx, jobs, emails)
  const ready = emails.filter(({ id }) => !waits.has(id))
  const firstAttempts = firstAttemptsOf(ready, jobs)
  giveDate(tx, firstAttempts)
  tx.withCommit(markDispatching(tx, ready, firstAttempts))
  const addressed = ready.map((email) => ({ email, addresses: recipientsOf(email) }))
  const circumstances = await readCircumstances(tx, addressed, cut)
  return new Map<string, Begun | Error>([
    ...[...waits].map(([id, wait]) => [id, { kind: 'wait', ...wait }] as const),
    ...addressed.map((each) => [each.email.id, begunOf(each, circumstances)] as const),
  ])
}

/** Returns the emails without an earlier attempt. */
function firstAttemptsOf(emails: WaitingEmail[], jobs: EmailJob[]): Set<WaitingEmail> {
  const repeated = new Set(jobs.flatMap(({ key, payload }) => (payload.failures || payload.lost ? [key] : [])))
  return new Set(emails.filter((email) => !(email.dispatching || email.hasDate || repeated.has(email.id))))
}

type AddressedEmail = { email: WaitingEmail; addresses: string[] }
type Circumstances = { domains: Map<string, SendingDomain>; suppressed: Set<string>; unwanted: Set<string> }

/** Reads what a hand-over depends on beside the email. The recipients of `cut` may have unsubscribed by them. */
async function readCircumstances(tx: Tx, emails: AddressedEmail[], cut: Set<string>): Promise<Circumstances> {
  const names = emails.map(({ email }) => ({ teamId: email.teamId, name: email.domainName }))
  const addressees = emails.flatMap(({ email: { teamId, system }, addresses }) =>
    addresses.map((address) => ({ teamId, address, system })),
  )
  const cutOfBroadcasts = emails.flatMap(({ email }) => (email.broadcast && cut.has(email.id) ? email : []))
  const [domains, suppressed, unwanted] = await allEnded([
    findSendingDomains(tx, names, { lock: false }),
    findSuppressed(tx, addressees),
    findUnwanted(tx, cutOfBroadcasts),
  ])
  return { domains, suppressed, unwanted: new Set(unwanted.map(({ emailId }) => emailId)) }
}

function begunOf(
  { email, addresses }: AddressedEmail,
  { domains, suppressed, unwanted }: Circumstances,
): Begun | Error {
  const { id, teamId, system, domainName } = email
  const domain = domains.get(sendingDomainKey({ teamId, name: domainName }))
  // A domain with waiting mail cannot be deleted, so a missing one is a bug, which must not lose the mail.
  if (!domain) return new Error(`The domain of email ${id} is missing.`)
  if (unwanted.has(id)) return { kind: 'ready', email, domain, recipients: [], suppressed: [] }
  const isBlocked = (address: string) => suppressed.has(addresseeKey({ teamId, address, system }))
  const recipients = addresses.filter((address) => !isBlocked(address))
  return { kind: 'ready', email, domain, recipients, suppressed: addresses.filter(isBlocked) }
}

type Wait = { until: Date; terms: Terms }

/**
 * Counts scheduled mail on the day it is sent. A repeat, or an email whose request died, was counted before. Returns,
 * by id, the times until which emails over a limit wait.
 */
async function takeQuotasOfUncounted(tx: Tx, jobs: EmailJob[], emails: WaitingEmail[]): Promise<Map<string, Wait>> {
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
      const { plan, limitOverrides } = email
      return refusal && retryAt ? [[email.id, { until: retryAt, terms: { plan, limitOverrides } }] as const] : []
    }),
  )
}

/**
 * Sets `Date` of emails to the time of their first attempt, since scheduled and planned mail may have waited for long
 * before. `markDispatching` stores it, and repeats keep it.
 */
function giveDate(tx: Tx, firstAttempts: Set<WaitingEmail>): void {
  for (const email of firstAttempts) email.date = tx.now
}

/** Stores that emails are being handed over. */
async function markDispatching(tx: Tx, emails: WaitingEmail[], firstAttempts: Set<WaitingEmail>): SentAtOnce {
  const fresh = emails
    .filter(({ dispatching }) => !dispatching)
    .map((email) => ({ teamId: email.teamId, id: email.id, isFirst: firstAttempts.has(email) }))
  if (fresh.length === 0) return
  await tx.send(sql`
    update emails set dispatching = true, headers = case when begun.is_first then ${headersWithDate(tx.now)} else headers end
    from ${rowsOf(fresh, { teamId: 'uuid', id: 'uuid', isFirst: 'bool' }).as('begun')}
    where emails.team_id = begun.team_id and emails.id = begun.id
  `)
}
