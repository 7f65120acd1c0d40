import { sql } from 'kysely'
import type { Db, SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import { allEnded } from '../waiting/all-ended.ts'
import { type Job, type JobKind, LeaseLost } from './job.ts'

/** One claim of a job. A later claim of the same job has another token, and the earlier one is void. */
export type Lease = Pick<Job, 'id' | 'leaseToken'>
type LeaseRow = { id: string; leaseToken: string }

/** Removes finished jobs. Returns the leases that were still held; results of the others must not be recorded. */
export async function deleteHeldJobs<L extends Lease>(tx: Tx, leases: L[]): SentAtOnce<Set<L>> {
  if (leases.length === 0) return new Set()
  const rows = await tx.send(sql<LeaseRow>`
    delete from jobs using ${pairs(leases)} where jobs.id = held.id and jobs.lease_token = held.lease_token
    returning ${heldColumns}
  `)
  return thoseIn(leases, rows)
}

/** Removes a finished job. Throws `LeaseLost` if its lease was lost. */
export async function endHeldJob(tx: Tx, lease: Lease): Promise<void> {
  if (!(await deleteHeldJobs(tx, [lease])).has(lease)) throw new LeaseLost()
}

/**
 * Locks held jobs, so that no other process takes them over before this transaction ends. Returns the leases that were
 * still held.
 */
export async function lockHeldJobs<L extends Lease>(tx: Tx, leases: L[]): SentAtOnce<Set<L>> {
  if (leases.length === 0) return new Set()
  const rows = await tx.send(sql<LeaseRow>`
    select ${heldColumns} from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
    for no key update of jobs
  `)
  return thoseIn(leases, rows)
}

/** Resets the attempts of these jobs to one and their failures to none, because they made progress. */
export async function renewAttempts(tx: Tx, leases: Lease[]): SentAtOnce {
  await tx.send(sql`
    update jobs set attempts = 1, failures = 0, take_ups = 0 from ${pairs(leases)} where jobs.id = held.id and jobs.lease_token = held.lease_token
  `)
}

/** Forgets that processes ended while they had these jobs, because none of them did anything of the work. */
export async function forgetTakeUps(tx: Tx, leases: Lease[]): SentAtOnce {
  if (leases.length === 0) return
  await tx.send(sql`
    update jobs set take_ups = 0, taken_up = false from ${pairs(leases)}
    where jobs.id = held.id and jobs.lease_token = held.lease_token
  `)
}

/** Changes what a held job knows of its work. */
export async function changePayload<J extends Job>(tx: Tx, { id, leaseToken }: J, payload: J['payload']): SentAtOnce {
  await tx.send(sql`
    update jobs set payload = ${JSON.stringify(payload)} where id = ${id} and lease_token = ${leaseToken}
  `)
}

/** Returns the leases that are still held. */
export async function findHeldJobs<L extends Lease>(db: Db, leases: L[]): Promise<Set<L>> {
  const { rows } = await sql<LeaseRow>`
    select ${heldColumns} from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
  `.execute(db)
  return thoseIn(leases, rows)
}

/** Extends leases and returns them, without leases that were lost or whose row is locked at the moment. */
export async function extendLeases<L extends Lease>(tx: Tx, leases: L[]): Promise<Set<L>> {
  const { rows } = await sql<LeaseRow>`
    with mine as materialized (
      select jobs.id from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
      for update of jobs skip locked
    )
    update jobs set run_at = ${new Date(tx.now.getTime() + tx.jobs.leaseMs)} where id = any(array(select id from mine))
    returning id, lease_token as "leaseToken"
  `.execute(tx.db)
  return thoseIn(leases, rows)
}

/** The changes to a job that is returned. Its payload and its kind stay if they are left out. */
type Change<L> = {
  error?: string | null
  payload?: L extends Job ? L['payload'] : never
  kind?: JobKind
  /** Resets the attempts to zero, because the job made progress. */
  isFresh?: true
  /** Counts a failed attempt. Without it the failures in a row have ended. */
  isFailed?: true
}
export type Return<L extends Lease = Lease> = { lease: L; runAt: Date } & Change<L>

/** Returns held jobs to the queue, to run again at their `runAt`. Gives the leases that were still held. */
export async function returnHeldJobs<L extends Lease>(tx: Tx, returns: Return<L>[]): SentAtOnce<Set<L>> {
  if (returns.length === 0) return new Set()
  const given = returns.map(({ lease, runAt, error, payload, kind, isFresh = false, isFailed = false }) => ({
    id: lease.id,
    leaseToken: lease.leaseToken,
    runAt,
    error,
    payload: payload && JSON.stringify(payload),
    kind: kind?.kind,
    isFresh,
    isFailed,
  }))
  const rows = await tx.send(sql<LeaseRow>`
    update jobs set lease_token = null, run_at = given.run_at, last_error = given.error,
      payload = coalesce(given.payload, jobs.payload), kind = coalesce(given.kind, jobs.kind),
      attempts = case when given.is_fresh then 0 else jobs.attempts end,
      failures = case when given.is_failed then jobs.failures + 1 else 0 end, take_ups = 0, endings = 0
    from ${rowsOf(given, returnColumns).as('given')}
    where jobs.id = given.id and jobs.lease_token = given.lease_token
    returning given.id, given.lease_token as "leaseToken"
  `)
  const leases = returns.map(({ lease }) => lease)
  return thoseIn(leases, rows)
}

const returnColumns = {
  id: 'bigint',
  leaseToken: 'uuid',
  runAt: 'timestamptz',
  error: 'text',
  payload: 'jsonb',
  kind: 'text',
  isFresh: 'bool',
  isFailed: 'bool',
} as const

/** A job whose attempt has ended; `again` says when it runs again, and is null if it does not. */
type EndedAttempt<J extends Lease> = { job: J; again: Omit<Return<J>, 'lease'> | null }

/** Removes jobs or gives them back, in one write. Returns those whose lease was held. */
export async function endAttempts<J extends Lease>(tx: Tx, batch: EndedAttempt<J>[]): SentAtOnce<Set<J>> {
  const ended = batch.flatMap(({ job, again }) => (again === null ? job : []))
  const returned = batch.flatMap(({ job, again }) => (again === null ? [] : { lease: job, ...again }))
  const [removed, given] = await allEnded([deleteHeldJobs(tx, ended), returnHeldJobs(tx, returned)])
  return removed.union(given)
}

/** Returns one held job to the queue. False if the lease was lost. */
export async function returnHeldJob<L extends Lease>(
  tx: Tx,
  lease: L,
  runAt: Date,
  change: Change<L>,
): Promise<boolean> {
  return (await returnHeldJobs(tx, [{ lease, runAt, ...change }])).size === 1
}

/** Returns one held job to the queue. Throws `LeaseLost` if its lease was lost. */
export async function continueHeldJob<L extends Lease>(
  tx: Tx,
  lease: L,
  runAt: Date,
  change: Change<L>,
): Promise<void> {
  if (!(await returnHeldJob(tx, lease, runAt, change))) throw new LeaseLost()
}

const heldColumns = sql`held.id, held.lease_token as "leaseToken"`

function pairs(leases: Lease[]) {
  return rowsOf(leases, { id: 'bigint', leaseToken: 'uuid' }).as('held')
}

function thoseIn<L extends Lease>(leases: L[], rows: LeaseRow[]): Set<L> {
  const found = new Set(rows.map(({ id, leaseToken }) => `${id} ${leaseToken}`))
  return new Set(leases.filter(({ id, leaseToken }) => found.has(`${id} ${leaseToken}`)))
}

/**
 * Makes the jobs due that processes held before `time`. Call it where none of these processes still runs. Leases that
 * were taken since stay.
 */
export async function endLeasesBefore(tx: Tx, time: Date): Promise<void> {
  await sql`
    update jobs set run_at = ${tx.now} where lease_token is not null
      and run_at > ${tx.now} and run_at < ${new Date(time.getTime() + tx.jobs.leaseMs)}
  `.execute(tx.db)
}
