import type { App } from '../../../context.ts'
import { beatsPerLease, LeaseLost, type TeamJob } from '../../../platform/jobs/job.ts'
import { findHeldJobs } from '../../../platform/jobs/leases.ts'
import { perApp } from '../../../platform/per-app.ts'
import type { Signal } from '../../../platform/waiting/signal.ts'
import type { Attempt } from './attempt.ts'

/** The part of a running execution that is needed to stop it. */
export type Running = {
  job: TeamJob
  /** The attempts under way, by node. */
  attempts: Map<string, Attempt>
  /** Once set, the execution records nothing and begins no node. */
  stopped: Error | null
  news: Signal
}

/** How often a process checks that it still holds the leases of its executions. */
const lookEveryMs = 2000
/**
 * A process has ten seconds to end, and closes what the nodes use after eight (`main.ts`). Another one repeats the
 * nodes that take longer than this.
 */
const drainingMaxMs = 6000

type All = {
  runs: Set<Running>
  timer: NodeJS.Timeout | undefined
  drainingLooks: number
  /** When the last check that was answered began. */
  lookedAt: Date
  looking: Promise<void> | undefined
}

const allOf = perApp(
  (app): All => ({
    runs: new Set(),
    timer: undefined,
    drainingLooks: 0,
    lookedAt: app.clock.now(),
    looking: undefined,
  }),
)

export function enter(app: App, run: Running): void {
  const all = allOf(app)
  if (all.runs.size === 0) all.lookedAt = app.clock.now()
  all.runs.add(run)
  all.timer ??= setInterval(() => void lookOnce(app, all), lookEveryMs).unref()
}

export function leave(app: App, run: Running): void {
  const all = allOf(app)
  all.runs.delete(run)
  if (all.runs.size > 0) return
  clearInterval(all.timer)
  all.timer = undefined
}

/** Stops these executions at once, if this process runs them. */
export function abandon(app: App, executionIds: string[]): void {
  const ids = new Set<string | null>(executionIds)
  const runs = [...allOf(app).runs].filter(({ job }) => ids.has(job.key))
  stopAll(runs, new LeaseLost())
}

/** Aborts the attempts of an execution. It records nothing and begins no node afterwards. */
export function stop(run: Running, why: Error): void {
  stopAll([run], why)
}

/** Stops all before it aborts any attempt, so that no execution begins a node in a slot that becomes free. */
function stopAll(runs: Running[], why: Error): void {
  for (const run of runs) run.stopped ??= why
  for (const run of runs) {
    for (const attempt of run.attempts.values()) attempt.abort(why)
    run.news.give()
  }
}

/** Calls `begin` at once, or after a check if the last one is so old that another process may hold the leases. */
export function whenSure(app: App, begin: () => void): void {
  const all = allOf(app)
  if (isBlind(app, all)) void lookOnce(app, all).then(begin)
  else begin()
}

function isBlind(app: App, { lookedAt }: All): boolean {
  // After this time a lease may have run out. At a check, its last extension is at most a heartbeat old.
  const blindMaxMs = app.jobs.leaseMs * (1 - 1 / beatsPerLease)
  return app.clock.now().getTime() - lookedAt.getTime() > blindMaxMs
}

function lookOnce(app: App, all: All): Promise<void> {
  all.looking ??= look(app, all).finally(() => {
    all.looking = undefined
  })
  return all.looking
}

/** True for the execution that this process has run for the longest time. */
export function isOldest(app: App, run: Running): boolean {
  const [oldest] = allOf(app).runs
  return oldest === run
}

/** Stops the executions that were cancelled or that another process has taken over. */
async function look(app: App, all: All): Promise<void> {
  const runs = [...all.runs]
  if (app.isDraining() && ++all.drainingLooks * lookEveryMs >= drainingMaxMs) {
    stopAll(runs, new Error('The process ends.'))
  }
  const began = app.clock.now()
  const jobs = runs.map(({ job }) => job)
  const held = await findHeldJobs(app.db, jobs).catch(() => null)
  if (held) all.lookedAt = began
  else if (isBlind(app, all)) stopAll(runs, new LeaseLost())
  const lost = held ? runs.filter(({ job }) => !held.has(job)) : []
  stopAll(lost, new LeaseLost())
}
