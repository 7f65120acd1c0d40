import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SentAtOnce, Tx } from '../../context.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import { claimedColumns } from './claim.ts'
import type { Empty, Job, JobKind, TeamJob } from './job.ts'

type OrNone<Name extends string, Value, None> = None extends Value
  ? { [field in Name]?: Value }
  : { [field in Name]: Value }

/**
 * A job to be added. One job of a kind and key exists at a time: while there is one, another is not added. The payload
 * may be left out if all of its fields are optional. Without `runAt` the job is due now.
 */
export type NewJob<J extends Job = Job> = OrNone<'teamId', J['teamId'], null> &
  OrNone<'key', J['key'], null> &
  OrNone<'payload', J['payload'], Empty> & { runAt?: Date }

/** Adds jobs in the transaction that makes them necessary, and wakes a worker once it is committed. */
export async function enqueueJobs<J extends Job>(tx: Tx, kind: JobKind<J>, jobs: NewJob<J>[]): SentAtOnce {
  if (jobs.length === 0) return
  tx.afterCommit(() => tx.jobs.wake())
  await insertJobs(tx, kind, jobs, null)
}

export function enqueueJob<J extends Job>(tx: Tx, kind: JobKind<J>, job: NewJob<J>): SentAtOnce {
  return enqueueJobs(tx, kind, [job])
}

/**
 * Adds jobs that are due now, in the order given, and makes existing ones that wait run now. Held jobs stay as they
 * are. This avoids `on conflict do update`, which locks every existing row: transactions that add the same job would
 * then commit one after the other.
 */
export async function enqueueOrHurryJobs<Payload extends object>(
  tx: Tx,
  { kind }: JobKind<TeamJob<Payload>>,
  jobs: { key: string; teamId: string }[],
): SentAtOnce {
  const keys = jobs.map(({ key }) => key)
  tx.afterCommit(() => tx.jobs.wake())
  await tx.send(sql`
    with hurried as (
      update jobs set run_at = ${tx.now}
      where kind = ${kind} and key = any(${keys}::text[]) and lease_token is null and run_at > ${tx.now}
    )
    insert into jobs (kind, team_id, key, payload, run_at, created_at)
    select ${kind}, team_id, key, '{}', ${tx.now}, ${tx.now}
    from ${rowsOf(jobs, { teamId: 'uuid', key: 'text' }).as('new')}
    on conflict (kind, key) where key is not null do nothing
  `)
}

/**
 * Adds jobs that the caller begins at once. They are leased from the start, so a worker claims one only if the caller
 * dies. Returns them in the order given. Every key must be new.
 */
export async function enqueueHeldJobs<J extends Job>(tx: Tx, kind: JobKind<J>, jobs: NewJob<J>[]): SentAtOnce<J[]> {
  if (jobs.length === 0) return []
  const leaseToken = randomUUID()
  return insertJobs(tx, kind, jobs, leaseToken)
}

/**
 * Adds a job that the caller begins at once. It replaces the job of the same kind and key, whose holder loses its
 * lease. Without a payload it keeps the payload of the replaced job.
 */
export async function takeOverJob<P extends object>(
  tx: Tx,
  kind: JobKind<TeamJob<P>>,
  { teamId, key, payload }: { teamId: string; key: string; payload?: P },
): Promise<TeamJob<P>> {
  const replaced = await tx.db
    .deleteFrom('jobs')
    .where('kind', '=', kind.kind)
    .where('key', '=', key)
    .returning('payload')
    .executeTakeFirst()
  const job = { teamId, key, payload: payload ?? replaced?.payload ?? {} } as NewJob<TeamJob<P>>
  const [taken] = await enqueueHeldJobs(tx, kind, [job])
  return taken!
}

async function insertJobs<J extends Job>(
  tx: Tx,
  { kind }: JobKind<J>,
  jobs: NewJob<J>[],
  leaseToken: string | null,
): SentAtOnce<J[]> {
  const leaseEnd = new Date(tx.now.getTime() + tx.jobs.leaseMs)
  const newRows = (jobs as NewJob[]).map(({ teamId, key, payload = {}, runAt = tx.now }) => {
    return { teamId, key, payload: JSON.stringify(payload), runAt: leaseToken ? leaseEnd : runAt }
  })
  const held = sql`returning ${claimedColumns}`
  return tx.send(sql<J>`
    insert into jobs (kind, team_id, key, payload, run_at, lease_token, attempts, created_at)
    select ${kind}, team_id, key, payload, run_at, ${leaseToken}, ${leaseToken ? 1 : 0}, ${tx.now}
    from ${rowsOf(newRows, { teamId: 'uuid', key: 'text', payload: 'jsonb', runAt: 'timestamptz' }).as('new')}
    on conflict (kind, key) where key is not null do nothing
    ${leaseToken ? held : sql``}
  `)
}
