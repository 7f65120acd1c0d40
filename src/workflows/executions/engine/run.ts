import { setImmediate as immediate } from 'node:timers/promises'
import type { App } from '../../../context.ts'
import { isDatabaseGone } from '../../../platform/db.ts'
import type { JobResult, TeamJob } from '../../../platform/jobs/job.ts'
import { type Signal, signal } from '../../../platform/signal.ts'
import type { Memory } from '../../context/memory.ts'
import type { ExecutionStatus } from '../../table.ts'
import { turnKey } from '../../turn-key.ts'
import { type Attempt, attemptNode } from './attempt.ts'
import type { Begun } from './begin.ts'
import { findPlan } from './find-plan.ts'
import { endHopeless, isHopeless } from './hopeless.ts'
import { findContents, findHeader, type RunState } from './load.ts'
import { nextDueAt, nextStep } from './next-step.ts'
import { placesOf } from './places.ts'
import type { Plan } from './plan.ts'
import { progress } from './progress.ts'
import { type NodeWrite, recordStep } from './record.ts'
import { roomOf } from './room.ts'
import type { Ended } from './settle.ts'
import { enter, leave, stop, whenSure } from './under-way.ts'

/** An execution that this process holds the lease of. */
export type Run = {
  app: App
  job: TeamJob
  teamId: string
  workflowId: string
  executionId: string
  plan: Plan
  /** Of the execution, as it is recorded. */
  status: ExecutionStatus
  states: Map<string, RunState>
  memory: Memory
  /** The error of the node that failed first. */
  failure: string | null
  /** Of its memory, and of the inputs of what is under way, as JSON. */
  sizeBytes: number
  /** Under way, by node; null until its beginning is recorded and it has a place. */
  attempts: Map<string, Attempt | null>
  /** Attempts that have ended, and of which nothing has been made yet. */
  ended: Ended[]
  /** What has changed, by node. */
  unrecorded: Map<string, NodeWrite>
  /** Begun, and to be run once that is recorded. */
  begun: Begun[]
  isRecording: boolean
  /** Something could begin, and may not here and now. */
  isPaused: boolean
  /** It has ended, or its job is given back. */
  isDone: boolean
  news: Signal
  /** Set where it may not go on: nothing is recorded any more. */
  stopped: Error | null
}

/** Runs an execution until it ends, or until nothing can be done for a while. */
export async function runExecution(app: App, job: TeamJob): Promise<JobResult> {
  if (isHopeless(job)) return endHopeless(app, job)
  const header = await findHeader(app, job)
  // Finished, or cancelled: the job may go.
  if (!header) return undefined
  const room = roomOf(app)
  await room.take(header.sizeBytes)
  const { id, workflowId, graphId, status, sizeBytes } = header
  const teamId = job.teamId
  let run: Run | undefined
  try {
    const plan = await findPlan(app, teamId, graphId)
    const contents = header.contents ?? (await findContents(app, job))
    run = {
      ...{ app, job, teamId, workflowId, executionId: id, plan, status, ...contents, sizeBytes },
      ...{ attempts: new Map(), ended: [], unrecorded: new Map(), begun: [], news: signal(), stopped: null },
      ...{ isRecording: false, isPaused: false, isDone: false },
    }
    run.memory.triggers = plan.triggers
    enter(run)
    return await advance(run)
  } finally {
    if (run) leave(run)
    room.give(run?.sizeBytes ?? sizeBytes)
  }
}

/** Counts what an execution has to remember more, or less, in bytes of JSON. */
export function grow(run: Run, bytes: number): void {
  run.sizeBytes += bytes
  roomOf(run.app).grow(bytes)
}

/** While one step is being recorded, what follows from it goes on: only what has an effect waits until all before it is. */
async function advance(run: Run): Promise<JobResult> {
  for (;;) {
    if (run.stopped) throw run.stopped
    if (run.isDone) return 'settled'
    const pure = beginNodes(run)
    // What ends at once is recorded together with what follows.
    if (pure > 0) await immediate()
    else {
      if (!run.isRecording) record(run)
      await heardOrDue(run)
    }
  }
}

/** Gives how many have begun that need not wait for a record. */
function beginNodes(run: Run): number {
  const begun = progress(run)
  const pure = begun.filter(({ type }) => type.pure)
  for (const node of pure) start(run, node)
  run.begun.push(...begun.filter(({ type }) => !type.pure))
  return pure.length
}

function record(run: Run): void {
  const step = nextStep(run)
  if (!step) return
  const begun = run.begun.splice(0)
  run.isRecording = true
  recordStep(run.app, step)
    .then(
      () => {
        run.isDone = step.lease !== 'kept'
        for (const node of begun) start(run, node)
      },
      (error: Error) => stop(run, error),
    )
    .finally(() => {
      run.isRecording = false
      run.news.give()
    })
}

/** A due time far away is looked at again; a timer holds 24 days at most. */
const wakeMaxMs = 60_000
const wakeMinMs = 50

async function heardOrDue(run: Run): Promise<void> {
  const dueAt = nextDueAt(run)
  const waitMs = dueAt && dueAt.getTime() - run.app.clock.now().getTime()
  const timer =
    waitMs === null ? undefined : setTimeout(() => run.news.give(), Math.min(Math.max(waitMs, wakeMinMs), wakeMaxMs))
  await run.news.heard()
  clearTimeout(timer)
}

/** Runs a node beside all else. */
function start(run: Run, { nodeId, type, context, input, sizeBytes }: Begun): void {
  const { app, teamId, workflowId, executionId } = run
  const { id, attempts, interruptions, startedAt } = run.states.get(nodeId)!
  const turn = {
    ...{ app, teamId, workflowId, executionId, context, nodeId, id, startedAt: startedAt! },
    attempt: attempts + interruptions,
    idempotencyKey: turnKey(workflowId, executionId, nodeId),
  }
  placesOf(app).take(teamId, (leave) => whenSure(run, () => go(leave)))

  function go(leave: () => void): void {
    if (run.stopped) {
      leave()
      return
    }
    const attempt = attemptNode(type, turn, input, (result) => {
      leave()
      grow(run, -sizeBytes)
      run.attempts.delete(nodeId)
      run.ended.push({ nodeId, result })
      // Nobody could record it; whoever comes next runs the node again.
      if ('error' in result && isDatabaseGone(result.error)) stop(run, result.error)
      run.news.give()
    })
    run.attempts.set(nodeId, attempt)
  }
}
