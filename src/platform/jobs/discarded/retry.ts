import { sql } from 'kysely'
import type { App, Tx } from '../../../context.ts'
import { claimedColumns, countsTakeUp } from '../claim.ts'
import type { Job, JobDefinition } from '../job.ts'
import { type FoundJob, findJob } from '../list.ts'
import { discardHeldJob } from './discard.ts'

/** An operator asked for something that a job does not allow. The message says why, and what to do. */
export class JobRefusal extends Error {}

/** Lets a waiting job run now, and puts a discarded one back with all its attempts. Says which. Throws `JobRefusal`. */
export async function retryJob(app: App, id: string): Promise<string> {
  return app.transaction(async (tx) => {
    const job = await findJob(tx.db, id)
    if (!job) throw unknownJob(id)
    if (job.state === 'waiting') await hurry(tx, id)
    else if (job.state === 'discarded') await putBack(tx, app, job)
    else throw new JobRefusal(`Job ${id} runs at the moment.`)
    tx.afterCommit(() => tx.jobs.wake())
    return `was ${job.state}`
  })
}

/** Ends a waiting job as its last attempt would. Throws `JobRefusal`. */
export async function discardJob(app: App, id: string): Promise<void> {
  const job = await findJob(app.db, id)
  if (!job) throw unknownJob(id)
  if (job.state === 'discarded') throw new JobRefusal(`Job ${id} is discarded already.`)
  const definition = definitionOf(app, job)
  if (definition.attemptsMax === Number.POSITIVE_INFINITY) {
    throw new JobRefusal(`Job ${id} is a ${job.kind}, which comes again for ever and cannot be discarded.`)
  }
  const held = await hold(app, id)
  if (!held)
    throw new JobRefusal(`Job ${id} runs at the moment. Discard it when it waits: see posthorn jobs show ${id}.`)
  await discardHeldJob(app, definition, held, new Error('An operator discarded it.'))
}

function unknownJob(id: string): JobRefusal {
  return new JobRefusal(`There is no job ${id}: it is done, or its 30 days are over. See: posthorn jobs list`)
}

function definitionOf(app: App, { id, kind }: FoundJob): JobDefinition {
  const definition = app.jobs.definitionOf(kind)
  if (!definition) throw new JobRefusal(`Job ${id} is a ${kind}, which this version of Posthorn does not know.`)
  return definition
}

async function hurry(tx: Tx, id: string): Promise<void> {
  await sql`
    update jobs set run_at = ${tx.now} where id = ${id} and lease_token is null and run_at > ${tx.now}
  `.execute(tx.db)
}

/** Takes the lease of a job that no process runs. */
async function hold(app: App, id: string): Promise<Job | undefined> {
  return app.transaction(async (tx) => {
    const { rows } = await sql<Job>`
      update jobs set lease_token = ${tx.newId()}, run_at = ${new Date(tx.now.getTime() + tx.jobs.leaseMs)}, ${countsTakeUp}
      where id = ${id} and (lease_token is null or run_at <= ${tx.now})
      returning ${claimedColumns}
    `.execute(tx.db)
    return rows[0]
  })
}

async function putBack(tx: Tx, app: App, job: FoundJob): Promise<void> {
  const { id, kind, key } = job
  const definition = definitionOf(app, job)
  if (await isOfDeletedTeam(tx, job)) throw new JobRefusal(`The team of job ${id} was deleted.`)
  const idle = {
    attempts: 0,
    failures: 0,
    takeUps: 0,
    wasTakenUp: false,
    endings: 0,
    leaseToken: '',
    leasedUntil: tx.now,
  }
  const refusal = (await definition.onRetry?.(tx, { ...job, ...idle })) ?? null
  if (refusal !== null) throw new JobRefusal(refusal)
  const { rows } = await sql`
    with gone as (delete from discarded_jobs where id = ${id} returning *)
    insert into jobs (id, kind, team_id, key, payload, run_at, created_at)
    overriding system value select id, kind, team_id, key, payload, ${tx.now}, created_at from gone
    on conflict (kind, key) where key is not null do nothing
    returning id
  `.execute(tx.db)
  if (rows.length === 0) {
    throw new JobRefusal(
      `Job ${id} cannot run again: a newer ${kind} of ${key} waits. See: posthorn jobs list --kind ${kind}`,
    )
  }
}

async function isOfDeletedTeam(tx: Tx, { teamId }: FoundJob): Promise<boolean> {
  if (teamId === null) return false
  const team = await tx.db.selectFrom('teams').select('deleted_at').where('id', '=', teamId).executeTakeFirst()
  return team === undefined || team.deleted_at !== null
}
