import { randomUUID } from 'node:crypto'
import type { App } from '../../context.ts'
import { gather } from '../gather.ts'
import { runOutside } from '../inside.ts'
import { type Capacity, claimJobs, deleteHeldJobs, extendLeases, findNextRunAt, returnHeldJob } from './claim.ts'
import { heartbeatMs, type Job, type JobDefinition, LeaseLost, sweepMs } from './job.ts'

/** Runs the jobs of this process, and keeps the leases of everything it holds alive. */
export type JobRunner = {
  /** There may be something due: look now instead of at the next sweep. */
  wake(): void
  /** Keeps the lease of a job held outside the runner (an immediate send); call what it gives back when done. */
  hold(job: Job): () => void
  /** Starts claiming. Without it (an API-only process) jobs are added and held, but not taken. */
  start(): void
  /** Stops claiming and waits for what runs, `graceMs` at most. */
  stop(graceMs: number): Promise<void>
  /** Claims and runs until nothing is due at the clock's time; for tests and commands. Gives how many ran. */
  runDue(): Promise<number>
}

type Parts = { app: () => App; definitions: JobDefinition[]; onWake?: () => void }

export function createJobRunner({ app, definitions, onWake }: Parts): JobRunner {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
  const running = new Map<string, number>(definitions.map(({ kind }) => [kind, 0]))
  const held = new Set<Job>()
  const inFlight = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let started = false
  let claiming = false
  let again = false

  const finish = gather<Job, boolean>(
    async (jobs) => {
      const done = await app().transaction((tx) => deleteHeldJobs(tx, jobs))
      return jobs.map((job) => done.has(job.id))
    },
    { itemsMax: 1000, flushesMax: 2 },
  )

  function hold(job: Job): () => void {
    held.add(job)
    heartbeat ??= setInterval(beat, heartbeatMs).unref()
    return () => held.delete(job)
  }

  async function beat(): Promise<void> {
    if (held.size === 0) return
    // Failing to extend is met by fencing: the result of a lost lease is not recorded.
    await app()
      .transaction((tx) => extendLeases(tx, [...held]))
      .catch((error) => app().log.warn({ error }, 'leases not extended'))
  }

  function freeCapacities(): Capacity[] {
    const all = definitions.map(({ kind, concurrency }) => ({ kind, free: concurrency - running.get(kind)! }))
    return all.filter(({ free }) => free > 0)
  }

  async function claim(): Promise<number> {
    const capacities = freeCapacities()
    if (capacities.length === 0) return 0
    const jobs = await app().transaction((tx) => claimJobs(tx, capacities, randomUUID()))
    for (const job of jobs) {
      const task = run(job).finally(() => {
        inFlight.delete(task)
        running.set(job.kind, running.get(job.kind)! - 1)
        if (started && running.get(job.kind)! <= byKind.get(job.kind)!.concurrency / 2) look()
      })
      running.set(job.kind, running.get(job.kind)! + 1)
      inFlight.add(task)
    }
    return jobs.length
  }

  async function run(job: Job): Promise<void> {
    const definition = byKind.get(job.kind)!
    const release = hold(job)
    try {
      const result = await definition.run(app(), job)
      if (result === undefined) await finish(job)
      else if (result !== 'settled') await giveBack(job, result.runAt, result)
    } catch (error) {
      if (!(error instanceof LeaseLost)) await putBack(definition, job, error as Error)
    } finally {
      release()
    }
  }

  function giveBack(job: Job, runAt: Date, change: { error?: string; payload?: Record<string, unknown> }) {
    return app().transaction((tx) => returnHeldJob(tx, job, runAt, change))
  }

  async function putBack(definition: JobDefinition, job: Job, error: Error): Promise<void> {
    const { retryDelaysMs } = definition
    const delayMs = retryDelaysMs[Math.min(job.attempts, retryDelaysMs.length) - 1] ?? sweepMs
    app().log.warn(
      { err: error, kind: job.kind, job: job.id, attempts: job.attempts, delayMs },
      'job failed, will be repeated',
    )
    const runAt = new Date(app().clock.now().getTime() + delayMs)
    // With the database gone the lease runs out by itself.
    await giveBack(job, runAt, { error: error.message.slice(0, 500) }).catch(() => false)
  }

  /** One claim at a time; a wake-up during it makes another follow. */
  function look(): void {
    if (!started) return
    if (claiming) {
      again = true
      return
    }
    claiming = true
    again = false
    clearTimeout(timer)
    void runOutside(lookOnce).then((waitMs) => {
      claiming = false
      if (again) look()
      else if (started) timer = setTimeout(look, waitMs)
    })
  }

  async function lookOnce(): Promise<number> {
    try {
      if ((await claim()) > 0) return 0
      const kinds = freeCapacities().map(({ kind }) => kind)
      const next = await findNextRunAt(app().db, kinds)
      const waitMs = next ? next.getTime() - app().clock.now().getTime() : sweepMs
      // What is due and yet was not claimed is locked by another worker this moment.
      return Math.min(Math.max(waitMs, 10), sweepMs)
    } catch (error) {
      app().log.warn({ err: error }, 'jobs cannot be claimed')
      return sweepMs
    }
  }

  return {
    hold,
    wake() {
      if (started) look()
      else onWake?.()
    },
    start() {
      started = true
      look()
    },
    async stop(graceMs) {
      started = false
      clearTimeout(timer)
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.allSettled(inFlight), grace])
      clearInterval(heartbeat)
    },
    async runDue() {
      let total = 0
      for (let count = await claim(); count > 0; count = await claim()) {
        total += count
        await Promise.allSettled(inFlight)
      }
      return total
    },
  }
}
