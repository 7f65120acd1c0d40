import { type TeamJob, teamJob, type UnkeyedJob, unkeyedJob } from '../platform/jobs/job.ts'
import type { WorkflowEvent } from './triggers/events/event.ts'

/**
 * Runs an execution. Its key is the execution's id. Each execution that is running or waiting has this job or the next
 * one. Run by `workflows/executions/engine/run.ts`.
 */
export const runExecutionJob = teamJob('workflows.run')

/**
 * Replaces the job above while an execution only waits for a delay or the next attempt; then it becomes that job again.
 * Run by `workflows/executions/engine/unpark.ts`.
 */
export const unparkExecutionJob = teamJob('workflows.unpark')

/**
 * Removes the executions of a deleted workflow. Its key is the workflow's id. Run by `workflows/executions/forget.ts`.
 */
export const forgetExecutionsJob = teamJob('workflows.forget')

/** `done`: for how many of the workflows executions have been started. */
export type StartForEventsJob = UnkeyedJob<{ workflowIds: string[]; events: WorkflowEvent[]; done: number }>

/** Starts executions of the workflows whose triggers listen to events. Run by `workflows/triggers/events/start.ts`. */
export const startForEventsJob = unkeyedJob<StartForEventsJob['payload']>('workflows.trigger')

/**
 * `due`: the time of the schedule, as ISO 8601. The row's `run_at` may be the end of a lease instead. `restoredAt`:
 * when a backup was restored in which the job was due.
 */
export type FireScheduleJob = TeamJob<{ due: string; restoredAt?: string }>

/** Fires a schedule. Its key is the workflow's id. Run by `workflows/triggers/schedule/fire.ts`. */
export const fireScheduleJob = teamJob<FireScheduleJob['payload']>('workflows.schedule')
