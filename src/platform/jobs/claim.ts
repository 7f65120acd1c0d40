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

/** When the next job of these kinds falls due, or null. */
export async function findNextRunAt(db: Db, kinds: string[]): Promise<Date | null> {
  const { rows } = await sql<{ runAt: Date | null }>`
    select min(run_at) as "runAt" from unnest(${kinds}::text[]) as wanted (kind)
    cross join lateral (select run_at from jobs where jobs.kind = wanted.kind order by run_at limit 1) as job
  `.execute(db)
  return rows[0]?.runAt ?? null
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

/** Which of these keys still have a job of the kind, whoever holds it. */
export async function findJobKeys(db: Db, kind: string, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from jobs where kind = ${kind} and key = any(${keys}::text[])
  `.execute(db)
  return new Set(rows.map((row) => row.key))
}

export async function extendLeases(tx: Tx, leases: Lease[]): Promise<void> {
  await sql`
    update jobs set run_at = ${new Date(tx.now.getTime() + leaseMs)} from ${pairs(leases)}
    where jobs.id = held.id and jobs.lease_token = held.lease_token
  `.execute(tx.db)
}

/** Gives a held job back, to be run again at `runAt`, with what it has to remember; false where the lease was lost. */
export async function returnHeldJob(
  tx: Tx,
  lease: Lease,
  runAt: Date,
  { error = null, payload }: { error?: string | null; payload?: Record<string, unknown> } = {},
): Promise<boolean> {
  const result = await tx.db
    .updateTable('jobs')
    .set({ lease_token: null, run_at: runAt, last_error: error, ...(payload && { payload: JSON.stringify(payload) }) })
    .where('id', '=', lease.id)
    .where('lease_token', '=', lease.leaseToken)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
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
