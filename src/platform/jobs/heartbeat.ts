import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { beatsPerLease, type Job } from './job.ts'
import { extendLeases, findHeldJobs } from './leases.ts'

/** Keeps the leases that a process holds. */
type Heartbeat = {
  /** Extends the lease of a job until each function that was returned for it is called. */
  hold(job: Job): () => void
  /**
   * Extends all leases now if the last time is too long ago, as after the process was suspended. Throws if that fails
   * and they have expired: the process would claim jobs that it still runs.
   */
  keepAlive(): Promise<void>
  stopBeating(): void
}

/** A transaction that records a step locks the job's row for a moment. Such rows are skipped and tried again. */
const triesMax = 10
const pauseMs = 150

export function createHeartbeat(app: () => App, leaseMs: number): Heartbeat {
  const heartbeatMs = leaseMs / beatsPerLease
  /** How often each job is held: a batch holds its messages, and the sending of each does so too. */
  const held = new Map<Job, number>()
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
    let left = [...held.keys()]
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

  /** How long ago the leases were extended, in ms; 0 if none is held. */
  function age(): number {
    return held.size > 0 ? app().clock.now().getTime() - beatenAt : 0
  }

  function release(job: Job): void {
    const others = held.get(job)! - 1
    if (others > 0) held.set(job, others)
    else held.delete(job)
  }

  return {
    hold(job) {
      if (held.size === 0) beatenAt = app().clock.now().getTime()
      held.set(job, (held.get(job) ?? 0) + 1)
      stopTimer ??= app().clock.every(heartbeatMs, beat)
      return () => release(job)
    },
    async keepAlive() {
      if (age() > 1.5 * heartbeatMs) await beat()
      if (age() >= leaseMs) throw new Error('The leases of this process could not be extended.')
    },
    stopBeating: () => stopTimer?.(),
  }
}
