import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { defineJob, type Job } from '../job.ts'
import { restoredFrom, type TellRestored, tellRestoredJob, tellRestoredKey } from './hold-back.ts'

/** Goes on with what a restore that was killed left. */
export const tellRestored = defineJob(tellRestoredJob, {
  concurrency: 1,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app) {
    while (!app.isDraining() && (await tellNext(app)) === 'more');
    if (app.isDraining()) return { runAt: app.clock.now() }
    return undefined
  },
})

/**
 * Tells the things of the jobs that a restore discarded, as `onDiscard` of their kinds does, such as that an email is
 * bounced. Each is one commit with the progress, so a kill repeats and skips none.
 */
export async function tellAllRestored(app: App, progress: (told: number) => void): Promise<void> {
  for (let told = 0; (await tellNext(app)) === 'more'; ) progress(++told)
  await app.transaction(async (tx) => {
    await sql`delete from jobs where kind = ${tellRestoredJob.kind} and key = ${tellRestoredKey}`.execute(tx.db)
  })
}

async function tellNext(app: App): Promise<'more' | 'end'> {
  try {
    return await app.transaction((tx) => tellOne(app, tx, true))
  } catch (error) {
    // A thing that cannot be told keeps its state. Its discarded job says the same.
    app.log.error({ err: error }, 'what a discarded job works on could not be told that a backup was restored')
    return app.transaction((tx) => tellOne(app, tx, false))
  }
}

async function tellOne(app: App, tx: Tx, isTold: boolean): Promise<'more' | 'end'> {
  const progress = await lockProgress(tx)
  const job = progress && (await findAfter(tx, progress))
  if (!progress || !job) return 'end'
  if (isTold) await app.jobs.definitionOf(job.kind)?.onDiscard?.(app, tx, job, restoredFrom(progress.madeAt), true)
  const payload = JSON.stringify({ ...progress, after: job.id })
  await sql`
    update jobs set payload = ${payload} where kind = ${tellRestoredJob.kind} and key = ${tellRestoredKey}
  `.execute(tx.db)
  return 'more'
}

async function lockProgress(tx: Tx): Promise<TellRestored | undefined> {
  const { rows } = await sql<{ payload: TellRestored }>`
    select payload from jobs where kind = ${tellRestoredJob.kind} and key = ${tellRestoredKey} for no key update
  `.execute(tx.db)
  return rows[0]?.payload
}

async function findAfter(tx: Tx, { restoredAt, after }: TellRestored): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select id, kind, team_id as "teamId", key, payload, attempts from discarded_jobs
    where discarded_at = ${restoredAt} and id > ${after} order by id limit 1
  `.execute(tx.db)
  const idle = { failures: 0, takeUps: 0, wasTakenUp: false, endings: 0, leaseToken: '', leasedUntil: tx.now }
  return rows[0] && { ...rows[0], ...idle }
}
