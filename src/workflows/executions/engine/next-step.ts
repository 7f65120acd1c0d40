import { runExecutionJob, unparkExecutionJob } from '../../jobs.ts'
import { decide } from './decide.ts'
import type { Step } from './record.ts'
import type { Run } from './run.ts'
import { writeOf } from './settle.ts'

/** While this process ends it would only take the execution up again; another one may. */
const pauseMs = 1000

/** All that is to be recorded now; null where there is nothing. */
export function nextStep(run: Run): Step | null {
  const now = run.app.clock.now()
  const { over } = decide(run.plan, run.states)
  if (over) giveUp(run, now)
  const nodes = [...run.unrecorded.values()]
  run.unrecorded.clear()
  const status = over ?? statusOf(run)
  const isNew = status !== run.status
  run.status = status
  const lease = over ? 'ended' : run.attempts.size > 0 ? 'kept' : returned(run, now)
  if (nodes.length === 0 && !isNew && lease === 'kept') return null
  return { job: run.job, nodes, status: isNew ? status : null, error: over ? run.failure : null, lease }
}

/** Delays that nobody waits for any more. */
function giveUp(run: Run, now: Date): void {
  for (const [nodeId, state] of run.states) {
    if (state.status !== 'waiting') continue
    Object.assign(state, { status: 'skipped', runAt: null, output: null })
    run.unrecorded.set(nodeId, writeOf(run, nodeId, now))
  }
}

/** Nothing can be done for now. */
function returned(run: Run, now: Date): Step['lease'] {
  const dueAt = nextDueAt(run)
  if (dueAt && !run.isPaused) return { runAt: dueAt, kind: unparkExecutionJob }
  return { runAt: new Date(now.getTime() + pauseMs), kind: runExecutionJob }
}

/** When a delay ends or an attempt is due. */
export function nextDueAt({ states }: Run): Date | null {
  let dueAt: Date | null = null
  for (const { runAt } of states.values()) if (runAt && (!dueAt || runAt < dueAt)) dueAt = runAt
  return dueAt
}

function statusOf({ states, status }: Run): Run['status'] {
  let isWaiting = false
  for (const state of states.values()) {
    if (state.status === 'running') return 'running'
    isWaiting ||= state.status === 'waiting'
  }
  return isWaiting ? 'waiting' : status
}
