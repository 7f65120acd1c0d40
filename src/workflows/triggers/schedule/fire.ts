import type { App, Tx } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { continueHeldJob, endHeldJob } from '../../../platform/jobs/leases.ts'
import { startExecutions } from '../../executions/start.ts'
import { type FireScheduleJob, fireScheduleJob } from '../../jobs.ts'
import { noteNotStarted } from '../not-started.ts'
import { lockActiveTriggers } from '../queries.ts'
import { lastDue, nextDue, type ScheduleConfig } from './due.ts'

/**
 * Starts the execution and sets the next due time in one commit, which only the holder of the lease can make. So each
 * due time fires once, with any number of processes.
 */
export const fireSchedule = defineJob(fireScheduleJob, {
  atRestore: 'note',
  concurrency: 8,
  fair: true,
  retryDelaysMs: [1000, 5000, 30_000, 10 * 60_000],
  // It comes again for ever, and a schedule that ends in silence is worse than one that is late.
  attemptsMax: Number.POSITIVE_INFINITY,
  async run(app, job) {
    await app.transaction((tx) => fire(app, tx, job))
    return 'recorded'
  },
})

async function fire(app: App, tx: Tx, job: FireScheduleJob): Promise<void> {
  const [teamId, workflowId] = [job.teamId, job.key]
  const [trigger] = await lockActiveTriggers(tx, teamId, [workflowId])
  if (trigger?.type !== 'schedule') return endHeldJob(tx, job)
  const config = trigger.config as ScheduleConfig
  const { at, next } = turnOf(config, new Date(job.payload.due), tx.now)
  const triggerData = { scheduledAt: at.toISOString() }
  const { graphId } = trigger
  // Due times up to a restore may have been fired since the backup was made.
  const isOver = job.payload.restoredAt !== undefined && at <= new Date(job.payload.restoredAt)
  const started = await startExecutions(
    tx,
    isOver ? [] : [{ teamId, ownerId: teamId, workflowId, graphId, triggerData, depth: 1, startedBy: 'schedule' }],
  )
  noteNotStarted(app, tx, teamId, started)
  if (!next) return endHeldJob(tx, job)
  await continueHeldJob(tx, job, next, { payload: { due: next.toISOString() } })
}

/** More than the interval at which processes look for jobs, so no process ran meanwhile. */
const missedAfterMs = 2000

/** Finds the due time to fire: the last one if several were missed. A due time that is slightly late is not missed. */
function turnOf(config: ScheduleConfig, due: Date, now: Date): { at: Date; next: Date | null } {
  if (now.getTime() - due.getTime() < missedAfterMs) return { at: due, next: nextDue(config, due) }
  const last = lastDue(config, now)
  return { at: last && last > due ? last : due, next: nextDue(config, now) }
}
