import type { App } from '../../../context.ts'
import { findHeldJobs } from '../../../platform/jobs/claim.ts'
import { LeaseLost } from '../../../platform/jobs/job.ts'
import type { Run } from './run.ts'

/** How often it is looked whether the executions under way are still this process's. */
const lookEveryMs = 2000
/** Of the ten seconds that a process has to end in; what a node needs longer for, another one repeats. */
const drainingMaxMs = 8000

type UnderWay = { runs: Set<Run>; timer: NodeJS.Timeout | undefined; drainingLooks: number }

const underWayIn = new WeakMap<App, UnderWay>()

export function enter(run: Run): void {
  const { app } = run
  const underWay = underWayIn.get(app) ?? { runs: new Set(), timer: undefined, drainingLooks: 0 }
  underWayIn.set(app, underWay)
  underWay.runs.add(run)
  underWay.timer ??= setInterval(() => void look(app, underWay), lookEveryMs).unref()
}

/** What is still under way of it is nobody's any more. */
export function leave(run: Run): void {
  if (run.attempts.size > 0) stop(run, new LeaseLost())
  const underWay = underWayIn.get(run.app)!
  underWay.runs.delete(run)
  if (underWay.runs.size > 0) return
  clearInterval(underWay.timer)
  underWay.timer = undefined
}

/** Ends the runs of these executions in this process, where there are any, at once. */
export function abandon(app: App, executionIds: string[]): void {
  const ids = new Set(executionIds)
  for (const run of underWayIn.get(app)?.runs ?? []) if (ids.has(run.executionId)) stop(run, new LeaseLost())
}

/** Nothing is recorded of it any more. */
export function stop(run: Run, why: Error): void {
  run.stopped ??= why
  for (const attempt of run.attempts.values()) attempt?.abort(why)
  run.news.give()
}

/** Whether it has been under way for longer than all others. */
export function isOldest(run: Run): boolean {
  const [oldest] = underWayIn.get(run.app)!.runs
  return oldest === run
}

/** Cancelled or taken over by another process, an execution is broken off before its next step would tell. */
async function look(app: App, underWay: UnderWay): Promise<void> {
  const runs = [...underWay.runs]
  if (app.isDraining() && ++underWay.drainingLooks * lookEveryMs >= drainingMaxMs) {
    for (const run of runs) stop(run, new Error('The process ends.'))
  }
  const jobs = runs.map(({ job }) => job)
  const held = await findHeldJobs(app.db, jobs).catch(() => null)
  for (const run of runs) if (held && !held.has(run.job.id)) stop(run, new LeaseLost())
}
