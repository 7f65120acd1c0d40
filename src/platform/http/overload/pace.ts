import type { Clock } from '../../time/clock.ts'

/** Watches the speed of transfers. A slow sender or reader holds memory and a connection for a long time. */
export type Pace = {
  /**
   * `moved` returns the bytes so far; `refuse` is called once they move too slowly. Returns a function that ends the
   * watch.
   */
  watch(moved: () => number, refuse: () => void): () => void
  stop(): void
}

export type PaceBounds = {
  graceMs: number
  /** The bytes of a burst that count for later time; all of them if left out. */
  aheadMaxBytes?: number
}

/** The required average after the grace. A telephone on a poor line is ten times as fast. */
const bytesPerSecondMin = 1024
const lookMs = 1000

export function createPace(clock: Clock, { graceMs, aheadMaxBytes = Number.POSITIVE_INFINITY }: PaceBounds): Pace {
  const behindMaxBytes = (graceMs / 1000) * bytesPerSecondMin
  const watched = new Set<() => void>()
  const timer = setInterval(() => {
    for (const look of watched) look()
  }, lookMs).unref()
  return {
    watch(moved, refuse) {
      let seen = { bytes: moved(), atMs: clock.now().getTime() }
      let ahead = 0
      const look = () => {
        const now = { bytes: moved(), atMs: clock.now().getTime() }
        const due = ((now.atMs - seen.atMs) / 1000) * bytesPerSecondMin
        ahead = Math.min(ahead + now.bytes - seen.bytes, aheadMaxBytes) - due
        seen = now
        if (ahead < -behindMaxBytes) refuse()
      }
      watched.add(look)
      return () => void watched.delete(look)
    },
    stop: () => clearInterval(timer),
  }
}
