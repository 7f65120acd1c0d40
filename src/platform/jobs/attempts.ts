import type { App } from '../../context.ts'
import { isDatabaseGone } from '../sql/gone.ts'
import { discardHeldJob, inOneLine } from './discarded/discard.ts'
import { type Job, type JobDefinition, JobHopeless, LeaseLost, sweepMs } from './job.ts'
import { returnHeldJob } from './leases.ts'

/**
 * Attempts of a kind that names no number of its own. Their delays take 25 hours together (`docs/decisions/jobs.md`).
 */
const usualAttemptsMax = 25
/** Take-ups in a row that do not count as a failure, because a process may end for any reason. */
const usualTakeUpsMax = 3
/** Processes that may end while they do a dangerous part of a job, and of no other. */
const endingsMax = 3
/** Further attempts of a job whose `onDiscard` fails. After them the job is discarded without it. */
const undiscardedMax = 3

/** Throws instead of running a job during which processes ended before. */
export function refuseDangerous({ takeUpsMax = usualTakeUpsMax }: JobDefinition, { takeUps, endings }: Job): void {
  if (endings >= endingsMax)
    throw new JobHopeless(`The process ended ${endings} times while it did this, and only this.`)
  if (takeUps > takeUpsMax) throw new Error(`${takeUps} processes in a row ended while they had the job.`)
}

/**
 * Ends an attempt that threw: the job runs again after a delay, or is discarded after its last attempt. If the database
 * cannot be reached, the lease runs out and the job is claimed again, which counts as no failure.
 */
export async function endFailedAttempt(app: App, definition: JobDefinition, job: Job, error: Error): Promise<void> {
  const { attemptsMax = usualAttemptsMax } = definition
  const failures = job.failures + 1
  const facts = { err: error, kind: job.kind, job: job.id, failures }
  try {
    if (failures >= attemptsMax || error instanceof JobHopeless) {
      const isTold = failures < attemptsMax + undiscardedMax
      if (await discarded(app, definition, job, error, isTold)) {
        app.log.error(facts, 'job failed for the last time and was discarded')
        return
      }
    }
    const delayMs = delayAfter(definition, failures)
    const runAt = new Date(app.clock.now().getTime() + delayMs)
    const change = { error: inOneLine(error), isFailed: true } as const
    const isReturned = await app.transaction((tx) => returnHeldJob(tx, job, runAt, change))
    // A job that is not returned was removed, as with its team, or another process has it and tells of its attempt.
    if (isReturned) app.log.warn({ ...facts, delayMs }, 'job failed, will be repeated')
  } catch (failed) {
    if (failed instanceof LeaseLost) return
    app.log.warn({ ...facts, unrecorded: (failed as Error).message }, 'job failed, which was not recorded')
  }
}

/** True if the job was discarded. False if its `onDiscard` failed. */
async function discarded(
  app: App,
  definition: JobDefinition,
  job: Job,
  error: Error,
  isTold: boolean,
): Promise<boolean> {
  try {
    await discardHeldJob(app, definition, job, error, isTold)
    return true
  } catch (failed) {
    if (failed instanceof LeaseLost || isDatabaseGone(failed)) throw failed
    app.log.error({ err: failed, kind: job.kind, job: job.id }, 'a failed job could not be discarded, will be repeated')
    return false
  }
}

/**
 * Returns the delay after a number of failures. The n-th of the usual delays is n³ seconds, and the 24 delays of the
 * usual number of attempts are 25 hours together.
 */
function delayAfter({ retryDelaysMs, attemptsMax }: JobDefinition, failures: number): number {
  const own = retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1] ?? sweepMs
  if (attemptsMax !== undefined || failures <= retryDelaysMs.length) return own
  return Math.max(own, Math.min(failures, usualAttemptsMax) ** 3 * 1000)
}
