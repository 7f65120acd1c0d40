import { discardJob, JobRefusal, retryJob } from '../../platform/jobs/discarded/retry.ts'
import { type FoundJob, findJob, type JobFilter, listJobs } from '../../platform/jobs/list.ts'
import { readArguments } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'
import { withApp } from '../with-app.ts'

/** Prints a line for each job: id, kind, attempts, next time or state, error. */
export async function listJobsCommand(args: string[]): Promise<void> {
  const filter = readFilter(args)
  await withApp(async ({ db }) => {
    for await (const job of listJobs(db, filter)) {
      process.stdout.write(`${[job.id, job.kind, job.attempts, timeOf(job), job.error ?? '-'].join('\t')}\n`)
    }
  })
}

/** Prints all about a job, as JSON. */
export async function showJobCommand(args: string[]): Promise<void> {
  const id = readId(args)
  await withApp(async ({ db }) => {
    const job = await findJob(db, id)
    if (!job) throw new Error(`there is no job ${id}: it is done, or its 30 days are over; see: posthorn jobs list`)
    process.stdout.write(`${JSON.stringify(shown(job), null, 2)}\n`)
  })
}

/** Runs a waiting or a discarded job now. */
export async function retryJobCommand(args: string[]): Promise<void> {
  const id = readId(args)
  await withApp(async (app) => {
    const before = await retryJob(app, id).catch(explain)
    process.stdout.write(`Job ${id}, which ${before}, runs as soon as a worker is free.\n`)
  })
}

/** Ends a waiting job as its last attempt would. */
export async function discardJobCommand(args: string[]): Promise<void> {
  const id = readId(args)
  await withApp(async (app) => {
    await discardJob(app, id).catch(explain)
    process.stdout.write(
      `Job ${id} is discarded, and kept for 30 days. To run it after all: posthorn jobs retry ${id}\n`,
    )
  })
}

function readFilter(args: string[]): JobFilter {
  const {
    kind = null,
    failing = false,
    discarded = false,
  } = readArguments(args, {
    options: { kind: 'text', failing: 'flag', discarded: 'flag' },
  }).options
  if (failing && discarded) throw new UsageError('--failing and --discarded list different jobs; give one of them.')
  return { kind, isFailing: failing, isDiscarded: discarded }
}

/** An id is a positive number of 64 bits. */
function readId(args: string[]): string {
  const id = readArguments(args, { required: ['<jobId>'] }).words[0]!
  if (!/^[1-9]\d{0,17}$/.test(id)) {
    throw new UsageError(`A jobId is a number that posthorn jobs list prints; it was "${id}".`)
  }
  return id
}

function timeOf({ state, at }: FoundJob): string {
  return state === 'waiting' ? at.toISOString() : state
}

function shown({ at, state, ...job }: FoundJob) {
  const times = { waiting: { nextAt: at }, running: { leasedUntil: at }, discarded: { discardedAt: at } }
  return { ...job, state, ...times[state] }
}

function explain(error: Error): never {
  throw error instanceof JobRefusal ? new Error(error.message) : error
}
