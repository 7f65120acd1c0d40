import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { extendLeases, findHeldJobs } from './claim.ts'
import { heartbeatMs, type Job } from './job.ts'

/** How a process keeps what it holds. */
export type Heartbeat = {
  /** Keeps the lease of a job; call what it gives back when done. */
  hold(job: Job): () => void
  /** Extends them now, where the last time is longer ago than it should be. */
  keepAlive(): Promise<void>
  stopBeating(): void
}

/** Who records a step has the job's row locked for a moment: it is not waited for, but tried again. */
const triesMax = 10
const pauseMs = 150

export function createHeartbeat(app: () => App): Heartbeat {
  const held = new Set<Job>()
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  /** By the clock that leases go by. */
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
        const others = left.filter((job) => held.has(job) && !extended.has(job))
        left = others.length > 0 ? [...(await findHeldJobs(app().db, others))] : []
      }
      beatenAt = now
    } catch (error) {
      // Met by fencing: the result of a lost lease is not recorded.
      app().log.warn({ error }, 'leases not extended')
    }
  }

  return {
    hold(job) {
      if (held.size === 0) beatenAt = app().clock.now().getTime()
      held.add(job)
      timer ??= setInterval(beat, heartbeatMs).unref()
      return () => held.delete(job)
    },
    async keepAlive() {
      if (held.size > 0 && app().clock.now().getTime() - beatenAt > 1.5 * heartbeatMs) await beat()
    },
    stopBeating: () => clearInterval(timer),
  }
}
