import type pg from 'pg'
import { systemJob } from '../job.ts'

/** The kinds of jobs that do not simply run when they were due at a restore. */
export type AtRestore = { discard: string[]; note: string[] }
/** `madeAt` in ISO 8601. */
type Restored = AtRestore & { madeAt: string; restoredAt: Date }

/** `after`: the id of the last discarded job whose thing was told. */
export type TellRestored = { madeAt: string; restoredAt: string; after: string }

/**
 * Tells the things of discarded jobs that a backup was restored. There is one such job, with this key. Run by
 * `tell.ts`.
 */
export const tellRestoredJob = systemJob<TellRestored>('jobs.tell-restored')
export const tellRestoredKey = 'restored'

/**
 * Keeps jobs from running that were due or running, since the server of which the backup was made may have run them
 * later. Moves those of `discard` to the discarded jobs, and adds `restoredAt` to the payload of those of `note`. Part
 * of the transaction that writes all rows, so no server ever finds them due. Returns the number of discarded jobs.
 */
export async function holdBackDueJobs(client: pg.ClientBase, restored: Restored): Promise<number> {
  const { discard, note, madeAt, restoredAt } = restored
  const discarded = await client.query(
    `with gone as (
       delete from jobs where kind = any($1) and ${isDue}
       returning id, kind, team_id, key, payload, attempts, created_at
     )
     insert into discarded_jobs (id, kind, team_id, key, payload, attempts, created_at, error, discarded_at)
     select id, kind, team_id, key, payload, attempts, created_at,
       $3::text || ' Run it with posthorn jobs retry ' || id || ' if it was not.', $2 from gone`,
    [discard, restoredAt, restoredFrom(madeAt)],
  )
  await client.query(
    `update jobs set payload = payload || jsonb_build_object('restoredAt', $3::text) where kind = any($1) and ${isDue}`,
    [note, restoredAt, restoredAt.toISOString()],
  )
  const count = discarded.rowCount ?? 0
  if (count > 0) await insertTelling(client, { madeAt, restoredAt: restoredAt.toISOString(), after: '0' })
  return count
}

/** The condition on a job that is due at the time `$2`. A lease ends later than its job was due. */
const isDue = '(run_at <= $2 or lease_token is not null)'

/** As teams read it. */
export function restoredFrom(madeAt: string): string {
  return `Restored from a backup of ${madeAt}: it may have been handed over since.`
}

async function insertTelling(client: pg.ClientBase, payload: TellRestored): Promise<void> {
  await client.query(
    'insert into jobs (kind, key, payload, run_at, created_at) values ($1, $2, $3, $4, $4) on conflict (kind, key) where key is not null do update set payload = excluded.payload',
    [tellRestoredJob.kind, tellRestoredKey, JSON.stringify(payload), payload.restoredAt],
  )
}
