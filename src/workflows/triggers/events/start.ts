import type { App, Tx } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { continueHeldJob, endHeldJob } from '../../../platform/jobs/leases.ts'
import { type NewExecution, startExecutions } from '../../executions/start.ts'
import { type StartForEventsJob, startForEventsJob } from '../../jobs.ts'
import { noteNotStarted } from '../not-started.ts'
import { type ActiveTrigger, lockActiveTriggers } from '../queries.ts'
import { findDepths } from './depth.ts'
import type { ReadEvent, WorkflowEvent } from './event.ts'
import { isFired, readEvents } from './fire.ts'

/** The executions that one commit starts. */
const pageMax = 100

/**
 * Starts executions for a page of workflows. The same commit records the progress of the job, so that each event starts
 * each workflow once. Other teams have their turn between two pages.
 */
export const startForEvents = defineJob(startForEventsJob, {
  atRestore: 'discard',
  concurrency: 4,
  fair: true,
  retryDelaysMs: [1000, 5000, 30_000],
  async run(app, job) {
    await app.transaction((tx) => startPage(app, tx, job))
    return 'recorded'
  },
})

async function startPage(app: App, tx: Tx, job: StartForEventsJob): Promise<void> {
  const { workflowIds, events, done } = job.payload
  const reached = done + Math.max(1, Math.floor(pageMax / events.length))
  const triggers = await lockActiveTriggers(tx, job.teamId, workflowIds.slice(done, reached))
  if (triggers.length > 0) {
    const depths = await findDepths(tx.db, job.teamId, events)
    const depthOf = new Map(events.map((event, index) => [event, depths[index]!]))
    const readFor = new Map<string, ReadEvent[]>()
    for (const type of new Set(triggers.map((trigger) => trigger.type)))
      readFor.set(type, await readEvents(tx.db, job.teamId, events, type))
    const executions = triggers.flatMap((trigger) => executionsOf(trigger, readFor.get(trigger.type)!, depthOf))
    const started = await startExecutions(tx, executions)
    noteNotStarted(app, tx, job.teamId, started)
  }
  await moveOn(tx, job, reached)
}

function executionsOf(trigger: ActiveTrigger, read: ReadEvent[], depthOf: Map<WorkflowEvent, number>): NewExecution[] {
  const { teamId, workflowId, graphId } = trigger
  return read
    .filter((event) => isFired(trigger, event))
    .map(({ event, triggerData }) => ({
      teamId,
      ownerId: teamId,
      workflowId,
      graphId,
      triggerData,
      depth: depthOf.get(event)!,
      startedBy: 'event',
    }))
}

async function moveOn(tx: Tx, job: StartForEventsJob, done: number): Promise<void> {
  const payload = { ...job.payload, done }
  if (done >= payload.workflowIds.length) return endHeldJob(tx, job)
  await continueHeldJob(tx, job, tx.now, { payload })
  tx.afterCommit(() => tx.jobs.wake())
}
