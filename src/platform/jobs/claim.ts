import { type RawBuilder, sql } from 'kysely'
import type { App, Db } from '../../context.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import type { Job } from './job.ts'

export type Capacity = { kind: string; free: number }

/** Claims due jobs, the longest due first within each kind. Rows that another worker has locked are skipped. */
export function claimJobs(app: App, capacities: Capacity[], leaseToken: string): Promise<Job[]> {
  const now = app.clock.now()
  const due = sql`
    select job.id from ${rowsOf(capacities, { kind: 'text', free: 'int' }).as('wanted')}
    cross join lateral (
      select id from jobs where jobs.kind = wanted.kind and run_at <= ${now} and ${ofLivingTeam}
      order by run_at limit wanted.free for update skip locked
    ) as job
  `
  return leaseJobs(app, now, leaseToken, due)
}

/**
 * Leases the jobs whose ids `due` selects to `leaseToken`. A job with a lease is due when its process has ended. The
 * statement runs outside a transaction, because it is complete by itself.
 */
export async function leaseJobs<J extends Job>(
  app: App,
  now: Date,
  leaseToken: string,
  due: RawBuilder<unknown>,
): Promise<J[]> {
  const { rows } = await sql<J>`
    with due as materialized (${due})
    update jobs set lease_token = ${leaseToken}, run_at = ${new Date(now.getTime() + app.jobs.leaseMs)}, attempts = attempts + 1,
      ${countsTakeUp}
    where id = any(array(select id from due))
    returning ${claimedColumns}
  `.execute(app.db)
  return rows
}

/** Sets the columns of a job that is taken up if it has a lease, since the lease of another process has run out. */
export const countsTakeUp = sql`take_ups = case when lease_token is null then take_ups else take_ups + 1 end,
  taken_up = taken_up or lease_token is not null`

/** The columns of a `Job`. Processes of an earlier version count only `take_ups`. */
export const claimedColumns = sql`id, kind, team_id as "teamId", key, payload, attempts, failures, take_ups as "takeUps",
  (taken_up or take_ups > 0) as "wasTakenUp", endings, lease_token as "leaseToken", run_at as "leasedUntil"`

/** False for jobs of deleted teams, which never run again. The list is short, and read once for a statement. */
export const ofLivingTeam = sql`
  (jobs.team_id is null or jobs.team_id not in (select id from teams where deleted_at is not null))
`

/**
 * Returns the time at which the next job of each kind that may be claimed is due. Kinds without such a job are left
 * out.
 */
export async function findNextRunAts(db: Db, kinds: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ kind: string; runAt: Date }>`
    select wanted.kind, job.run_at as "runAt" from unnest(${kinds}::text[]) as wanted (kind)
    cross join lateral (
      select run_at from jobs where jobs.kind = wanted.kind and ${ofLivingTeam} order by run_at limit 1
    ) as job
  `.execute(db)
  return new Map(rows.map(({ kind, runAt }) => [kind, runAt]))
}
