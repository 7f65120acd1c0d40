import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { type Job, leaseMs } from './job.ts'

export type Capacity = { kind: string; free: number }

/** A claim is one statement, and needs no transaction around it: each more would be a way to the database and back. */
export type Moment = { db: Db; now: Date }

/** Takes due jobs, the longest due first within each kind, skipping what others are taking; they are leased to `leaseToken`. */
export async function claimJobs({ db, now }: Moment, capacities: Capacity[], leaseToken: string): Promise<Job[]> {
  const kinds = capacities.map((capacity) => capacity.kind)
  const limits = capacities.map((capacity) => capacity.free)
  const { rows } = await sql<Job>`
    with due as materialized (
      select job.id from unnest(${kinds}::text[], ${limits}::int[]) as wanted (kind, free)
      cross join lateral (
        select id from jobs where jobs.kind = wanted.kind and run_at <= ${now}
        order by run_at limit wanted.free for update skip locked
      ) as job
    )
    update jobs set lease_token = ${leaseToken}, run_at = ${new Date(now.getTime() + leaseMs)}, attempts = attempts + 1
    where id = any(array(select id from due))
    returning id, kind, team_id as "teamId", key, payload, attempts, lease_token as "leaseToken"
  `.execute(db)
  return rows
}

/** When the next job of each of these kinds falls due; kinds that have none are left out. */
export async function findNextRunAts(db: Db, kinds: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ kind: string; runAt: Date }>`
    select wanted.kind, job.run_at as "runAt" from unnest(${kinds}::text[]) as wanted (kind)
    cross join lateral (select run_at from jobs where jobs.kind = wanted.kind order by run_at limit 1) as job
  `.execute(db)
  return new Map(rows.map(({ kind, runAt }) => [kind, runAt]))
}

/** One taking of a job. The same process may hold another of the same job, which entitles to nothing any more. */
type Lease = Pick<Job, 'id' | 'leaseToken'>
type LeaseRow = { id: string; leaseToken: string }

function thoseIn<L extends Lease>(leases: L[], rows: LeaseRow[]): Set<L> {
  const found = new Set(rows.map(({ id, leaseToken }) => `${id} ${leaseToken}`))
  return new Set(leases.filter(({ id, leaseToken }) => found.has(`${id} ${leaseToken}`)))
}

const heldColumns = sql`held.id, held.lease_token as "leaseToken"`

function pairs(leases: Lease[]) {
  const ids = leases.map((lease) => lease.id)
  const tokens = leases.map((lease) => lease.leaseToken)
  return sql`unnest(${ids}::bigint[], ${tokens}::uuid[]) as held (id, lease_token)`
}

/** Removes finished jobs; gives those whose lease was still held. The others' results must not be recorded. */
export async function deleteHeldJobs<L extends Lease>(tx: Tx, leases: L[]): Promise<Set<L>> {
  const { rows } = await sql<LeaseRow>`
    delete from jobs using ${pairs(leases)} where jobs.id = held.id and jobs.lease_token = held.lease_token
    returning ${heldColumns}
  `.execute(tx.db)
  return thoseIn(leases, rows)
}

/** Locks held jobs, so that nobody takes them over before this unit of work ends; gives those whose lease was still held. */
export async function lockHeldJobs<L extends Lease>(tx: Tx, leases: L[]): Promise<Set<L>> {
  const { rows } = await sql<LeaseRow>`
    select ${heldColumns} from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
    for no key update of jobs
  `.execute(tx.db)
  return thoseIn(leases, rows)
}

/** Something was done since they were taken up: how often they have been is counted anew. */
export async function renewAttempts(tx: Tx, leases: Lease[]): Promise<void> {
  await sql`
    update jobs set attempts = 1 from ${pairs(leases)} where jobs.id = held.id and jobs.lease_token = held.lease_token
  `.execute(tx.db)
}

/** Which of these leases are still held. */
export async function findHeldJobs<L extends Lease>(db: Db, leases: L[]): Promise<Set<L>> {
  const { rows } = await sql<LeaseRow>`
    select ${heldColumns} from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
  `.execute(db)
  return thoseIn(leases, rows)
}

/** Which of these keys still have a job of the kind, whoever holds it. */
export async function findJobKeys(db: Db, kind: string, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from jobs where kind = ${kind} and key = any(${keys}::text[])
  `.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Gives those that were extended: not the ones that were lost, nor those of which a step is being recorded this moment. */
export async function extendLeases<L extends Lease>(tx: Tx, leases: L[]): Promise<Set<L>> {
  const { rows } = await sql<LeaseRow>`
    with mine as materialized (
      select jobs.id from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
      for update of jobs skip locked
    )
    update jobs set run_at = ${new Date(tx.now.getTime() + leaseMs)} where id = any(array(select id from mine))
    returning id, lease_token as "leaseToken"
  `.execute(tx.db)
  return thoseIn(leases, rows)
}

/** What a job given back has to remember; its payload and its kind stay where none is named. */
type Change = {
  error?: string | null
  payload?: Record<string, unknown>
  kind?: string
  /** Something was done: its attempts are counted anew. */
  isFresh?: true
}
export type Return<L extends Lease = Lease> = { lease: L; runAt: Date } & Change

/** Gives held jobs back, to be run again at their `runAt`; gives the leases that were still held. */
export async function returnHeldJobs<L extends Lease>(tx: Tx, returns: Return<L>[]): Promise<Set<L>> {
  const columns = {
    ids: returns.map(({ lease }) => lease.id),
    tokens: returns.map(({ lease }) => lease.leaseToken),
    dues: returns.map(({ runAt }) => runAt),
    errors: returns.map(({ error }) => error ?? null),
    payloads: returns.map(({ payload }) => (payload ? JSON.stringify(payload) : null)),
    kinds: returns.map(({ kind }) => kind ?? null),
    fresh: returns.map(({ isFresh }) => isFresh ?? false),
  }
  const { rows } = await sql<LeaseRow>`
    update jobs set lease_token = null, run_at = given.run_at, last_error = given.error,
      payload = coalesce(given.payload, jobs.payload), kind = coalesce(given.kind, jobs.kind),
      attempts = case when given.is_fresh then 0 else jobs.attempts end
    from unnest(${columns.ids}::bigint[], ${columns.tokens}::uuid[], ${columns.dues}::timestamptz[],
      ${columns.errors}::text[], ${columns.payloads}::jsonb[], ${columns.kinds}::text[],
      ${columns.fresh}::bool[]) as given (id, lease_token, run_at, error, payload, kind, is_fresh)
    where jobs.id = given.id and jobs.lease_token = given.lease_token
    returning given.id, given.lease_token as "leaseToken"
  `.execute(tx.db)
  return thoseIn(
    returns.map(({ lease }) => lease),
    rows,
  )
}

/** One of them; false where the lease was lost. */
export async function returnHeldJob(tx: Tx, lease: Lease, runAt: Date, change: Change = {}): Promise<boolean> {
  return (await returnHeldJobs(tx, [{ lease, runAt, ...change }])).size === 1
}

/** Moves a job to another time, taking it from whoever holds it; false where there is none. */
export async function moveWaitingJob(tx: Tx, kind: string, key: string, runAt: Date): Promise<boolean> {
  const result = await tx.db
    .updateTable('jobs')
    .set({ run_at: runAt, lease_token: null })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteJob(tx: Tx, kind: string, key: string): Promise<void> {
  await tx.db.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).execute()
}

export async function deleteJobs(tx: Tx, kind: string | string[], keys: string[]): Promise<void> {
  await sql`delete from jobs where kind = any(${[kind].flat()}::text[]) and key = any(${keys}::text[])`.execute(tx.db)
}

/** Makes waiting jobs of a team whose payload carries the mark run now; whoever is being run is left alone. */
export async function hurryJobs(tx: Tx, kind: string, teamId: string, mark: string): Promise<void> {
  await sql`
    update jobs set run_at = ${tx.now}, payload = payload - ${mark}::text
    where kind = ${kind} and team_id = ${teamId} and lease_token is null and payload ? ${mark}
  `.execute(tx.db)
  tx.afterCommit(() => tx.jobs.wake())
}

/** Makes waiting jobs run now; whoever is being run is left alone. */
export async function hurryJobsByKey(tx: Tx, kind: string, keys: string[]): Promise<void> {
  await sql`
    update jobs set run_at = ${tx.now}
    where kind = ${kind} and key = any(${keys}) and lease_token is null and run_at > ${tx.now}
  `.execute(tx.db)
}
