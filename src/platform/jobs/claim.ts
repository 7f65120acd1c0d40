import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { type Job, leaseMs } from './job.ts'

export type Capacity = { kind: string; free: number }

/** Takes due jobs, the longest due first within each kind, skipping what others are taking; they are leased to `leaseToken`. */
export async function claimJobs(tx: Tx, capacities: Capacity[], leaseToken: string): Promise<Job[]> {
  const kinds = capacities.map((capacity) => capacity.kind)
  const limits = capacities.map((capacity) => capacity.free)
  const { rows } = await sql<Job>`
    with due as materialized (
      select job.id from unnest(${kinds}::text[], ${limits}::int[]) as wanted (kind, free)
      cross join lateral (
        select id from jobs where jobs.kind = wanted.kind and run_at <= ${tx.now}
        order by run_at limit wanted.free for update skip locked
      ) as job
    )
    update jobs set lease_token = ${leaseToken}, run_at = ${new Date(tx.now.getTime() + leaseMs)}, attempts = attempts + 1
    where id = any(array(select id from due))
    returning id, kind, team_id as "teamId", key, payload, attempts, lease_token as "leaseToken"
  `.execute(tx.db)
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

type Lease = Pick<Job, 'id' | 'leaseToken'>

function pairs(leases: Lease[]) {
  const ids = leases.map((lease) => lease.id)
  const tokens = leases.map((lease) => lease.leaseToken)
  return sql`unnest(${ids}::bigint[], ${tokens}::uuid[]) as held (id, lease_token)`
}

/** Removes finished jobs; gives the ids of those whose lease was still held. The others' results must not be recorded. */
export async function deleteHeldJobs(tx: Tx, leases: Lease[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    delete from jobs using ${pairs(leases)} where jobs.id = held.id and jobs.lease_token = held.lease_token
    returning jobs.id
  `.execute(tx.db)
  return new Set(rows.map((row) => row.id))
}

/** Locks held jobs, so that nobody takes them over before this unit of work ends; gives the ids of those whose lease was still held. */
export async function lockHeldJobs(tx: Tx, leases: Lease[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select jobs.id from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
    for no key update of jobs
  `.execute(tx.db)
  return new Set(rows.map((row) => row.id))
}

/** Which of these leases are still held; gives the ids of their jobs. */
export async function findHeldJobs(db: Db, leases: Lease[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select jobs.id from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
  `.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Which of these keys still have a job of the kind, whoever holds it. */
export async function findJobKeys(db: Db, kind: string, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from jobs where kind = ${kind} and key = any(${keys}::text[])
  `.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Whoever has a row locked is finishing its job, or has taken it over: it is neither waited for nor needed. */
export async function extendLeases(tx: Tx, leases: Lease[]): Promise<void> {
  await sql`
    with mine as materialized (
      select jobs.id from ${pairs(leases)} join jobs on jobs.id = held.id and jobs.lease_token = held.lease_token
      for update of jobs skip locked
    )
    update jobs set run_at = ${new Date(tx.now.getTime() + leaseMs)} where id = any(array(select id from mine))
  `.execute(tx.db)
}

/** What a job given back has to remember; its payload and its kind stay where none is named. */
type Change = {
  error?: string | null
  payload?: Record<string, unknown>
  kind?: string
  /** Something was done: its attempts are counted anew. */
  isFresh?: true
}
export type Return = { lease: Lease; runAt: Date } & Change

/** Gives held jobs back, to be run again at their `runAt`; gives the ids of those whose lease was still held. */
export async function returnHeldJobs(tx: Tx, returns: Return[]): Promise<Set<string>> {
  const columns = {
    ids: returns.map(({ lease }) => lease.id),
    tokens: returns.map(({ lease }) => lease.leaseToken),
    dues: returns.map(({ runAt }) => runAt),
    errors: returns.map(({ error }) => error ?? null),
    payloads: returns.map(({ payload }) => (payload ? JSON.stringify(payload) : null)),
    kinds: returns.map(({ kind }) => kind ?? null),
    fresh: returns.map(({ isFresh }) => isFresh ?? false),
  }
  const { rows } = await sql<{ id: string }>`
    update jobs set lease_token = null, run_at = given.run_at, last_error = given.error,
      payload = coalesce(given.payload, jobs.payload), kind = coalesce(given.kind, jobs.kind),
      attempts = case when given.is_fresh then 0 else jobs.attempts end
    from unnest(${columns.ids}::bigint[], ${columns.tokens}::uuid[], ${columns.dues}::timestamptz[],
      ${columns.errors}::text[], ${columns.payloads}::jsonb[], ${columns.kinds}::text[],
      ${columns.fresh}::bool[]) as given (id, lease_token, run_at, error, payload, kind, is_fresh)
    where jobs.id = given.id and jobs.lease_token = given.lease_token
    returning jobs.id
  `.execute(tx.db)
  return new Set(rows.map((row) => row.id))
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
