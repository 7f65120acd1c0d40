import type { App } from '../../context.ts'
import { runAsSystem } from '../audit/actor.ts'
import { gather } from '../transaction/gather.ts'
import { endFailedAttempt, refuseDangerous } from './attempts.ts'
import { createClaims } from './claims.ts'
import { createHeartbeat } from './heartbeat.ts'
import { type Job, type JobDefinition, LeaseLost } from './job.ts'
import { deleteHeldJobs, returnHeldJob } from './leases.ts'
import { createLooks } from './looks.ts'
import { createSlots } from './slots.ts'

declare module '../../context.ts' {
  interface App {
    jobs: JobRunner
  }
  interface Tx {
    jobs: JobRunner
  }
}

/** Runs the jobs of this process and extends the leases of all jobs it holds. */
export type JobRunner = {
  /** How long a lease lasts that is not extended. */
  leaseMs: number
  /** Looks for due jobs now instead of at the next sweep. */
  wake(): void
  /** Extends the lease of a job held outside the runner (an immediate send), until the returned function is called. */
  hold(job: Job): () => void
  /**
   * Starts claiming. A process that never starts (one without the role `worker`) adds and holds jobs, but claims none.
   */
  start(): void
  /** Stops claiming and waits for running jobs, `graceMs` at most. */
  stop(graceMs: number): Promise<void>
  /** Finds how jobs of a kind run. Undefined for a kind of another version. */
  definitionOf(kind: string): JobDefinition | undefined
  /** Claims and runs jobs until none is due at the clock's time, for tests and commands. Returns how many ran. */
  runDue(): Promise<number>
}

type Parts = { app: () => App; definitions: JobDefinition[]; leaseMs: number; onWake?: () => void }

export function createJobRunner({ app, definitions, leaseMs, onWake }: Parts): JobRunner {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
  const slots = createSlots(definitions)
  const inFlight = new Set<Promise<void>>()
  const { hold, keepAlive, stopBeating } = createHeartbeat(app, leaseMs)
  const claim = createClaims({ app, definitions, slots, keepAlive, begin })
  const looks = createLooks(app, claim)

  const finish = gather<Job, boolean>(
    async (jobs) => {
      const done = await app().transaction((tx) => deleteHeldJobs(tx, jobs))
      return jobs.map((job) => done.has(job))
    },
    { itemsMax: 1000, flushesMax: 2 },
  )

  function begin<J extends Job>(jobs: J[], enter?: (job: J) => () => void): number {
    for (const job of jobs) {
      const leave = enter?.(job)
      const leaveSlot = slots.enter(job.kind)
      const task = run(job).finally(() => {
        leave?.()
        inFlight.delete(task)
        if (leaveSlot()) looks.look()
      })
      inFlight.add(task)
    }
    return jobs.length
  }

  async function run(job: Job): Promise<void> {
    const definition = byKind.get(job.kind)!
    const release = hold(job)
    try {
      refuseDangerous(definition, job)
      const result = await runAsSystem(() => definition.run(app(), job))
      if (result === undefined) await finish(job)
      else if (result !== 'recorded') await giveBack(job, result.runAt, result)
    } catch (error) {
      if (!(error instanceof LeaseLost)) await endFailedAttempt(app(), definition, job, error as Error)
    } finally {
      release()
    }
  }

  function giveBack(job: Job, runAt: Date, change: { payload?: object }) {
    return app().transaction((tx) => returnHeldJob(tx, job, runAt, change))
  }

  return {
    leaseMs,
    hold,
    definitionOf: (kind) => byKind.get(kind),
    wake() {
      if (looks.isStarted()) looks.wake()
      else onWake?.()
    },
    start: looks.start,
    async stop(graceMs) {
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref())
      const allDone = looks.stop().then(() => Promise.allSettled(inFlight))
      await Promise.race([allDone, grace])
      stopBeating()
    },
    async runDue() {
      let total = 0
      for (;;) {
        const { count } = await claim()
        if (count === 0) return total
        total += count
        await Promise.allSettled(inFlight)
      }
    },
  }
}
