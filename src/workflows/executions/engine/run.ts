import { setImmediate as immediate } from 'node:timers/promises'
import type { App } from '../../../context.ts'
import { defineJob, type JobDefinition, type JobResult, LeaseLost, type TeamJob } from '../../../platform/jobs/job.ts'
import { createFairSlots } from '../../../platform/limits/fair-slots.ts'
import { perApp } from '../../../platform/per-app.ts'
import { isDatabaseGone, isStatementCancelled } from '../../../platform/sql/gone.ts'
import { type Signal, signal } from '../../../platform/waiting/signal.ts'
import { runExecutionJob } from '../../jobs.ts'
import type { ExecutionStatus } from '../../table.ts'
import { type Attempt, attemptNode } from './attempt.ts'
import { findPlan } from './find-plan.ts'
import { adviseRerun, beginningsMax, executionRetryDelaysMs, failDiscarded, giveUp, isGivenUp } from './give-up.ts'
import { findContents, findHeader, type Header } from './load.ts'
import { memoryBudgetOf } from './memory-budget.ts'
import { recordStep, type StepRecord } from './record.ts'
import { enter, isOldest, leave, type Running, stop, whenSure } from './running.ts'
import { advance, type Step } from './step/advance.ts'
import { endingOf } from './step/ending.ts'
import type { Happened } from './step/settle.ts'
import type { Begun, NodeWrite, State } from './step/state.ts'
import { unparkExecutions } from './unpark.ts'

/** An execution that this process runs. */
type Run = Running & {
  app: App
  ids: { teamId: string; workflowId: string; executionId: string; depth: number }
  /** Replaced by each step. */
  state: State
  /** Attempts that have ended since the last step. */
  happened: Happened[]
  /** The rows that steps have changed since the last record, by node. */
  unrecorded: Map<string, NodeWrite>
  /** Nodes that run once their beginning is recorded. */
  toBegin: Begun[]
  isRecording: boolean
  recordedStatus: ExecutionStatus
  news: Signal
}

const runExecutions = defineJob(runExecutionJob, {
  atRestore: 'discard',
  fair: true,
  concurrency: 1000,
  retryDelaysMs: executionRetryDelaysMs,
  attemptsMax: beginningsMax,
  // Nodes and executions count their own, so that the node is found at which processes end.
  takeUpsMax: Number.POSITIVE_INFINITY,
  run: runExecution,
  onDiscard: failDiscarded,
  onRetry: adviseRerun,
})

export const engineJobs: JobDefinition[] = [runExecutions, unparkExecutions]

/** Runs an execution until it ends, or until nothing can be done for a while. */
async function runExecution(app: App, job: TeamJob): Promise<JobResult> {
  if (isGivenUp(job)) return giveUp(app, job)
  const header = await findHeader(app, job)
  // Finished or cancelled: the job is removed.
  if (!header) return undefined
  const budget = memoryBudgetOf(app)
  await budget.take(job.teamId, header.sizeBytes)
  let run: Run | undefined
  try {
    run = createRun(app, job, header, await loadState(app, job, header))
    enter(app, run)
    return await goOn(run)
  } finally {
    if (run) end(run)
    budget.give(job.teamId, run?.state.sizeBytes ?? header.sizeBytes)
  }
}

async function loadState(app: App, job: TeamJob, header: Header): Promise<State> {
  const plan = await findPlan(app, job.teamId, header.graphId)
  const { nodes, texts, failure } = header.contents ?? (await findContents(app, job))
  const memory = { executionId: header.id, texts, triggers: plan.triggers }
  return { plan, status: header.status, nodes, memory, failure, underWay: new Map(), sizeBytes: header.sizeBytes }
}

function createRun(app: App, job: TeamJob, { id, workflowId, status, depth }: Header, state: State): Run {
  return {
    app,
    job,
    ids: { teamId: job.teamId, workflowId, executionId: id, depth },
    state,
    happened: [],
    unrecorded: new Map(),
    toBegin: [],
    isRecording: false,
    recordedStatus: status,
    attempts: new Map(),
    stopped: null,
    news: signal(),
  }
}

function end(run: Run): void {
  // After an error, nodes may still run or wait for a slot. The process that takes the execution over runs them again.
  stop(run, new LeaseLost())
  leave(run.app, run)
}

/** Computes the next steps while a step is recorded. A node with an effect begins once its beginning is recorded. */
async function goOn(run: Run): Promise<JobResult> {
  for (;;) {
    if (run.stopped) throw run.stopped
    const step = takeStep(run)
    // Nodes that end at once are recorded together with those that follow.
    if (step.begin.some(({ type }) => type.pure)) await immediate()
    else {
      const record = run.isRecording ? null : nextRecord(run, step)
      if (record && record.next !== 'kept') {
        await recordStep(run.app, record)
        return 'recorded'
      }
      if (record) recordAndBegin(run, record)
      await newsOrTime(run, step.wakeAt)
    }
  }
}

function takeStep(run: Run): Step {
  const { app, ids, state } = run
  const budget = memoryBudgetOf(app)
  const mayBegin = !app.isDraining() && (!budget.isOver(ids.teamId) || isOldest(app, run))
  const { nodeRetryDelaysMs, longDelayMs } = app.config
  const world = { now: app.clock.now(), newId: app.newId, mayBegin, nodeRetryDelaysMs, longDelayMs }
  const step = advance(state, run.happened.splice(0), world)
  run.state = step.state
  budget.grow(ids.teamId, step.state.sizeBytes - state.sizeBytes)
  for (const { nodeId, error } of step.faults) {
    app.log.error({ err: error, executionId: ids.executionId, nodeId }, 'a workflow node failed')
  }
  for (const write of step.writes) {
    // The input comes with the first write of an attempt.
    const input = write.input ?? run.unrecorded.get(write.nodeId)?.input ?? null
    run.unrecorded.set(write.nodeId, { ...write, input })
  }
  for (const node of step.begin) {
    if (node.type.pure) void startNode(run, node)
    else run.toBegin.push(node)
  }
  return step
}

/** Collects all changes that are not recorded yet; null without any. */
function nextRecord(run: Run, { next, state }: Step): StepRecord | null {
  const status = state.status === run.recordedStatus ? null : state.status
  if (run.unrecorded.size === 0 && status === null && next === 'kept') return null
  const nodes = [...run.unrecorded.values()]
  run.unrecorded.clear()
  run.recordedStatus = state.status
  return { job: run.job, nodes, status, error: next === 'ended' ? state.failure : null, next }
}

function recordAndBegin(run: Run, record: StepRecord): void {
  const begun = run.toBegin.splice(0)
  run.isRecording = true
  recordStep(run.app, record)
    .then(
      () => {
        for (const node of begun) void startNode(run, node)
      },
      (error: Error) => stop(run, error),
    )
    .finally(() => {
      run.isRecording = false
      run.news.give()
    })
}

/** Timers are limited to 24 days, so a longer wait is made of many. */
const wakeMaxMs = 60_000
const wakeMinMs = 50

async function newsOrTime(run: Run, wakeAt: Date | null): Promise<void> {
  const waitMs = wakeAt && wakeAt.getTime() - run.app.clock.now().getTime()
  const timer =
    waitMs === null ? undefined : setTimeout(() => run.news.give(), Math.min(Math.max(waitMs, wakeMinMs), wakeMaxMs))
  await run.news.heard()
  clearTimeout(timer)
}

/** Runs a node once it has a slot. */
async function startNode(run: Run, node: Begun): Promise<void> {
  const leaveSlot = await takeSlot(run.app, run.ids.teamId)
  whenSure(run.app, () => {
    if (run.stopped) leaveSlot()
    else run.attempts.set(node.nodeId, attempt(run, node, leaveSlot))
  })
}

function attempt(run: Run, { type, input, shown: _, ...node }: Begun, leaveSlot: () => void): Attempt {
  const { app, ids } = run
  // All attempts of a node in an execution have the same key; a rerun has another.
  const idempotencyKey = `workflow-${ids.workflowId}-${ids.executionId}-${node.nodeId}`
  return attemptNode(type, { app, ...ids, ...node, idempotencyKey }, input, (result) => {
    leaveSlot()
    run.attempts.delete(node.nodeId)
    run.happened.push({ nodeId: node.nodeId, ending: endingOf(type, result) })
    if ('error' in result && isUnrecordable(result.error)) stop(run, result.error)
    run.news.give()
  })
}

/**
 * True for the failure of a node that could not be recorded, so that the process that takes the execution over runs the
 * node again. A cancelled statement is that of one node, which may have waited for a lock: the others go on.
 */
function isUnrecordable(error: Error): boolean {
  return isDatabaseGone(error) && !isStatementCancelled(error)
}

/** The nodes that one process runs at the same time; most of them wait for an answer from outside. */
const slotsOf = perApp(() => createFairSlots({ slotsMax: 500 }))

/** Waits for a slot to run a node of the team in. Resolves to a function that frees the slot, to be called once. */
async function takeSlot(app: App, teamId: string): Promise<() => void> {
  const slot = await slotsOf(app).enter(teamId)
  // The number of nodes that wait is bounded by the executions that the process holds.
  if ('refused' in slot) throw new Error('A node was refused a slot, although any number may wait.')
  return slot.leave
}
