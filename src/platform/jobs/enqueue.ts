import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { type Job, leaseMs } from './job.ts'

export type NewJob = {
  kind: string
  teamId?: string | null
  /** One job of a kind and key exists at a time; another is not added. */
  key?: string | null
  payload?: Record<string, unknown>
  /** Now, where left out. */
  runAt?: Date
}

/** Adds jobs in the transaction that makes them necessary, and wakes a worker once it is committed. */
export async function enqueueJobs(tx: Tx, jobs: NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await insertJobs(tx, jobs, null)
  tx.afterCommit(() => tx.jobs.wake())
}

export function enqueueJob(tx: Tx, job: NewJob): Promise<void> {
  return enqueueJobs(tx, [job])
}

/**
 * Adds jobs that are to run now, and makes those that exist and wait run now; whoever is being run is left alone. Not
 * `on conflict do update`: that locks every job there is, also those it leaves as they are, and all who add something to
 * the same one would commit one after the other. In the order given.
 */
export async function enqueueOrHurryJobs(tx: Tx, kind: string, jobs: { key: string; teamId: string }[]): Promise<void> {
  const keys = jobs.map(({ key }) => key)
  await sql`
    with hurried as (
      update jobs set run_at = ${tx.now}
      where kind = ${kind} and key = any(${keys}::text[]) and lease_token is null and run_at > ${tx.now}
    )
    insert into jobs (kind, team_id, key, payload, run_at, created_at)
    select ${kind}, team_id, key, '{}', ${tx.now}, ${tx.now}
    from unnest(${jobs.map(({ teamId }) => teamId)}::uuid[], ${keys}::text[]) as new (team_id, key)
    on conflict (kind, key) where key is not null do nothing
  `.execute(tx.db)
  tx.afterCommit(() => tx.jobs.wake())
}

/**
 * Adds jobs that the caller itself begins at once: leased from the start, so that a worker takes one over only when
 * the caller dies. In the order given; every key must be new.
 */
export async function enqueueHeldJobs(tx: Tx, jobs: NewJob[]): Promise<Job[]> {
  if (jobs.length === 0) return []
  const leaseToken = randomUUID()
  const ids = await insertJobs(tx, jobs, leaseToken)
  return jobs.map(({ kind, teamId = null, key = null, payload = {} }, index) => {
    return { id: ids[index]!, kind, teamId, key, payload, attempts: 1, leaseToken }
  })
}

async function insertJobs(tx: Tx, jobs: NewJob[], leaseToken: string | null): Promise<string[]> {
  const leaseEnd = new Date(tx.now.getTime() + leaseMs)
  const columns = {
    kinds: jobs.map((job) => job.kind),
    teams: jobs.map((job) => job.teamId ?? null),
    keys: jobs.map((job) => job.key ?? null),
    payloads: jobs.map((job) => JSON.stringify(job.payload ?? {})),
    dues: jobs.map((job) => (leaseToken ? leaseEnd : (job.runAt ?? tx.now))),
  }
  const { rows } = await sql<{ id: string }>`
    insert into jobs (kind, team_id, key, payload, run_at, lease_token, attempts, created_at)
    select kind, team_id, key, payload, run_at, ${leaseToken}, ${leaseToken ? 1 : 0}, ${tx.now}
    from unnest(${columns.kinds}::text[], ${columns.teams}::uuid[], ${columns.keys}::text[],
      ${columns.payloads}::jsonb[], ${columns.dues}::timestamptz[]) as new (kind, team_id, key, payload, run_at)
    on conflict (kind, key) where key is not null do nothing
    returning id
  `.execute(tx.db)
  return rows.map((row) => row.id)
}
