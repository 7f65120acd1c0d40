import { sql } from 'kysely'
import type { Db } from '../../context.ts'

/** A job as an operator reads it. */
export type FoundJob = {
  id: string
  kind: string
  teamId: string | null
  key: string | null
  payload: Record<string, unknown>
  attempts: number
  createdAt: Date
  error: string | null
  /** `running` until `at`, which the process that runs it moves on; `waiting` until `at`, or `discarded` at `at`. */
  state: 'waiting' | 'running' | 'discarded'
  at: Date
}

export type JobFilter = { kind: string | null; isFailing: boolean; isDiscarded: boolean }

/** Jobs that are read at a time, so that a long list needs little memory. */
const pageMax = 1000

/** Lists the discarded jobs, and then the others, each the oldest first. */
export async function* listJobs(db: Db, filter: JobFilter): AsyncGenerator<FoundJob> {
  const { kind, isFailing, isDiscarded } = filter
  const ofKind = kind === null ? sql`true` : sql`kind = ${kind}`
  if (!isFailing) yield* listPages((after) => sql<FoundJob>`${discardedJobs} where id > ${after} and ${ofKind}`, db)
  const failing = isFailing ? sql`last_error is not null` : sql`true`
  if (!isDiscarded)
    yield* listPages((after) => sql<FoundJob>`${liveJobs} where id > ${after} and ${ofKind} and ${failing}`, db)
}

export async function findJob(db: Db, id: string): Promise<FoundJob | undefined> {
  const { rows } = await sql<FoundJob>`
    ${discardedJobs} where id = ${id}::bigint union all ${liveJobs} where id = ${id}::bigint
  `.execute(db)
  return rows[0]
}

/** Counts the jobs that were discarded and are kept, up to `max`. */
export async function countDiscardedJobs(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from discarded_jobs limit ${max}) as counted
  `.execute(db)
  return rows[0]!.count
}

const discardedJobs = sql`
  select id, kind, team_id as "teamId", key, payload, attempts, created_at as "createdAt", error, 'discarded' as state,
    discarded_at as at
  from discarded_jobs`
const liveJobs = sql`
  select id, kind, team_id as "teamId", key, payload, attempts, created_at as "createdAt", last_error as error,
    case when lease_token is null then 'waiting' else 'running' end as state, run_at as at
  from jobs`

async function* listPages(statementAfter: (id: string) => ReturnType<typeof sql<FoundJob>>, db: Db) {
  for (let after = '0'; ; ) {
    const { rows } = await sql<FoundJob>`${statementAfter(after)} order by id limit ${pageMax}`.execute(db)
    yield* rows
    if (rows.length < pageMax) return
    after = rows.at(-1)!.id
  }
}
