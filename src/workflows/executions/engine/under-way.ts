import type { App } from '../../../context.ts'
import { heartbeatMs, LeaseLost, leaseMs } from '../../../platform/jobs/job.ts'
import { findHeldJobs } from '../../../platform/jobs/leases.ts'
import type { Run } from './run.ts'

/** How often it is looked whether the executions under way are still this process's. */
const lookEveryMs = 2000
/** Of the ten seconds that a process has to end in; what a node needs longer for, another one repeats. */
const drainingMaxMs = 8000

/** Without a look for so long, a lease may have run out: it was extended a heartbeat before at the latest. */
const blindMaxMs = leaseMs - heartbeatMs

type UnderWay = {
  runs: Set<Run>
  timer: NodeJS.Timeout | undefined
  drainingLooks: number
  /** When the last look that told something began. */
  lookedAt: Date
  looking: Promise<void> | undefined
}

const underWayIn = new WeakMap<App, UnderWay>()

export function enter(run: Run): void {
  const { app } = run
  const underWay = underWayIn.get(app) ?? newlyUnderWay(app)
  if (underWay.runs.size === 0) underWay.lookedAt = app.clock.now()
  underWay.runs.add(run)
  underWay.timer ??= setInterval(() => void lookOnce(app, underWay), lookEveryMs).unref()
}

function newlyUnderWay(app: App): UnderWay {
  const lookedAt = app.clock.now()
  const underWay: UnderWay = { runs: new Set(), timer: undefined, drainingLooks: 0, lookedAt, looking: undefined }
  underWayIn.set(app, underWay)
  return underWay
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
  const runs = [...(underWayIn.get(app)?.runs ?? [])]
  stopAll(
    runs.filter(({ executionId }) => ids.has(executionId)),
    new LeaseLost(),
  )
}

/** Nothing is recorded of it any more. */
export function stop(run: Run, why: Error): void {
  stopAll([run], why)
}

/** First none of them may begin anything: what is broken off makes room for what stands in line. */
function stopAll(runs: Run[], why: Error): void {
  for (const run of runs) run.stopped ??= why
  for (const run of runs) {
    for (const attempt of run.attempts.values()) attempt?.abort(why)
    run.news.give()
  }
}

/** Calls `begin`, at once or after a look where another process may have taken the execution over and this one cannot know. */
export function whenSure({ app }: Run, begin: () => void): void {
  const underWay = underWayIn.get(app)!
  if (isBlind(app, underWay)) void lookOnce(app, underWay).then(begin)
  else begin()
}

function isBlind(app: App, { lookedAt }: UnderWay): boolean {
  return app.clock.now().getTime() - lookedAt.getTime() > blindMaxMs
}

function lookOnce(app: App, underWay: UnderWay): Promise<void> {
  underWay.looking ??= look(app, underWay).finally(() => {
    underWay.looking = undefined
  })
  return underWay.looking
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
    stopAll(runs, new Error('The process ends.'))
  }
  const began = app.clock.now()
  const jobs = runs.map(({ job }) => job)
  const held = await findHeldJobs(app.db, jobs).catch(() => null)
  if (held) underWay.lookedAt = began
  else if (isBlind(app, underWay)) stopAll(runs, new LeaseLost())
  const lost = held ? runs.filter(({ job }) => !held.has(job)) : []
  stopAll(lost, new LeaseLost())
}
