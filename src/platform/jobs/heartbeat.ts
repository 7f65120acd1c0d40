import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { beatsPerLease, type Job } from './job.ts'
import { extendLeases, findHeldJobs } from './leases.ts'

/** Keeps the leases that a process holds. */
type Heartbeat = {
  /** Extends the lease of a job until the returned function is called. */
  hold(job: Job): () => void
  /** Extends all leases now if the last time is too long ago, as after the process was suspended. */
  keepAlive(): Promise<void>
  stopBeating(): void
}

/** A transaction that records a step locks the job's row for a moment. Such rows are skipped and tried again. */
const triesMax = 10
const pauseMs = 150

export function createHeartbeat(app: () => App, leaseMs: number): Heartbeat {
  const heartbeatMs = leaseMs / beatsPerLease
  const held = new Set<Job>()
  let stopTimer: (() => void) | undefined
  let beating: Promise<void> | undefined
  /** When the leases were last extended, on the app's clock. */
  let beatenAt = 0

  function beat(): Promise<void> {
    beating ??= extendAll().finally(() => {
      beating = undefined
    })
    return beating
  }

  async function extendAll(): Promise<void> {
    const now = app().clock.now().getTime()
    let left = [...held]
    try {
      for (let tries = 0; left.length > 0 && tries < triesMax; tries++) {
        if (tries > 0) await sleep(pauseMs)
        const extended = await app().transaction((tx) => extendLeases(tx, left))
        for (const job of extended) job.leasedUntil = new Date(now + leaseMs)
        const others = left.filter((job) => held.has(job) && !extended.has(job))
        left = others.length > 0 ? [...(await findHeldJobs(app().db, others))] : []
      }
      beatenAt = now
    } catch (error) {
      // It is safe to continue: the result of a job whose lease was lost is not recorded.
      app().log.warn({ error }, 'leases not extended')
    }
  }

  return {
    hold(job) {
      if (held.size === 0) beatenAt = app().clock.now().getTime()
      held.add(job)
      stopTimer ??= app().clock.every(heartbeatMs, beat)
      return () => held.delete(job)
    },
    async keepAlive() {
      if (held.size > 0 && app().clock.now().getTime() - beatenAt > 1.5 * heartbeatMs) await beat()
    },
    stopBeating: () => stopTimer?.(),
  }
}
