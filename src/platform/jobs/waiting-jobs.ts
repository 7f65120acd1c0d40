import { sql } from 'kysely'
import type { Db, SentAtOnce, Tx } from '../../context.ts'
import type { JobKind } from './job.ts'

/** Returns the keys that still have a job of the kind, held or not. */
export async function findJobKeys(db: Db, { kind }: JobKind, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from jobs where kind = ${kind} and key = any(${keys}::text[])
  `.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Returns the number of a team's jobs of a kind that is claimed fairly, whose index is read. */
export async function countJobs(db: Db, { kind }: JobKind, teamId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs where kind = ${sql.lit(kind)} and team_id = ${teamId}
  `.execute(db)
  return rows[0]!.count
}

/** The field in the payload of a job that waits for a limit of its team. */
const limitMark = 'waitingForLimit'

/** Moves a job to another time, and voids its lease. It waits for no limit any more. */
export async function moveWaitingJob(tx: Tx, { kind }: JobKind, key: string, runAt: Date): Promise<void> {
  await sql`
    update jobs set run_at = ${runAt}, lease_token = null, payload = payload - ${limitMark}::text
    where kind = ${kind} and key = ${key}
  `.execute(tx.db)
}

/** Removes a job, held or not. A process that runs it finds its lease lost. */
export async function deleteJob(tx: Tx, { kind }: JobKind, key: string): Promise<void> {
  await tx.db.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).execute()
}

export async function deleteJobs(tx: Tx, kinds: JobKind[], keys: string[]): SentAtOnce {
  const names = kinds.map(({ kind }) => kind)
  await tx.send(sql`delete from jobs where kind = any(${names}::text[]) and key = any(${keys}::text[])`)
}

/**
 * The condition that no process can have done the work of a job: none holds it, none ended while it had it, no attempt
 * has failed, and no answer was lost. A payload counts lost answers in `lost`, and names those they are about in
 * `lostFor`.
 */
export const isUntakenJob = sql<boolean>`
  (jobs.lease_token is null and jobs.failures = 0 and jobs.take_ups = 0 and not jobs.taken_up
    and coalesce((jobs.payload ->> 'lost')::int, 0) = 0 and coalesce(jsonb_array_length(jobs.payload -> 'lostFor'), 0) = 0)
`

/** Removes the jobs that are untaken still. Returns their keys. */
export async function deleteUntakenJobs(tx: Tx, { kind }: JobKind, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    delete from jobs where kind = ${kind} and key = any(${keys}::text[]) and ${isUntakenJob} returning key
  `.execute(tx.db)
  return new Set(rows.map(({ key }) => key))
}

/** Makes the jobs of a team that wait for a limit run now, and removes their mark. Held jobs stay as they are. */
export async function hurryLimitedJobs(tx: Tx, { kind }: JobKind, teamId: string): Promise<void> {
  tx.afterCommit(() => tx.jobs.wake())
  await tx.send(sql`
    update jobs set run_at = ${tx.now}, payload = payload - ${limitMark}::text
    where kind = ${kind} and team_id = ${teamId} and lease_token is null and payload ? ${limitMark}
  `)
}

/** Makes waiting jobs run now. Held jobs stay as they are. */
export async function hurryJobsByKey(tx: Tx, { kind }: JobKind, keys: string[]): SentAtOnce {
  tx.afterCommit(() => tx.jobs.wake())
  await tx.send(sql`
    update jobs set run_at = ${tx.now}
    where kind = ${kind} and key = any(${keys}) and lease_token is null and run_at > ${tx.now}
  `)
}

/** Makes all waiting jobs of a kind run now. Held jobs stay as they are. */
export async function hurryJobsOfKind(tx: Tx, { kind }: JobKind): Promise<void> {
  await sql`
    update jobs set run_at = ${tx.now} where kind = ${kind} and lease_token is null and run_at > ${tx.now}
  `.execute(tx.db)
  tx.afterCommit(() => tx.jobs.wake())
}

/** Tells whether a process holds the job of this key now. */
export async function isJobHeld(tx: Tx, { kind }: JobKind, key: string): Promise<boolean> {
  const job = await tx.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('lease_token', 'is not', null)
    .where('run_at', '>', tx.now)
    .executeTakeFirst()
  return job !== undefined
}
