import type { App, Tx } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { continueHeldJob, endHeldJob } from '../../../platform/jobs/leases.ts'
import { type NewExecution, startExecutions } from '../../executions/start.ts'
import { type StartHeardJob, startHeardJob } from '../../jobs.ts'
import { noteNotStarted } from '../not-started.ts'
import { type Listener, lockListeners } from '../queries.ts'
import { isFired, type Occurred, readOccurrences } from './occurrence.ts'

/** The executions that one commit starts. */
const pageMax = 100

/**
 * Starts executions for a page of workflows. The same commit records the progress of the job, so that each event starts
 * each workflow once. Other teams have their turn between two pages.
 */
export const startHeard = defineJob(startHeardJob, {
  atRestore: 'discard',
  concurrency: 4,
  fair: true,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, job) {
    await app.transaction((tx) => startPage(app, tx, job))
    return 'recorded'
  },
})

async function startPage(app: App, tx: Tx, job: StartHeardJob): Promise<void> {
  const { workflowIds, events, done } = job.payload
  const reached = done + Math.max(1, Math.floor(pageMax / events.length))
  const listeners = await lockListeners(tx, job.teamId, workflowIds.slice(done, reached))
  if (listeners.length > 0) {
    const occurrences = await readOccurrences(tx.db, job.teamId, events, listeners)
    const started = await startExecutions(
      tx,
      listeners.flatMap((listener) => executionsOf(listener, occurrences.get(listener.type) ?? [])),
    )
    noteNotStarted(app, tx, job.teamId, started)
  }
  await moveOn(tx, job, reached)
}

function executionsOf(listener: Listener, occurrences: Occurred[]): NewExecution[] {
  const { teamId, workflowId, graphId } = listener
  return occurrences
    .filter((occurrence) => isFired(listener, occurrence))
    .map(({ triggerData, depth }) => ({
      teamId,
      ownerId: teamId,
      workflowId,
      graphId,
      triggerData,
      depth,
      startedBy: 'event',
    }))
}

async function moveOn(tx: Tx, job: StartHeardJob, done: number): Promise<void> {
  const payload = { ...job.payload, done }
  if (done >= payload.workflowIds.length) return endHeldJob(tx, job)
  await continueHeldJob(tx, job, tx.now, { payload })
  tx.afterCommit(() => tx.jobs.wake())
}
