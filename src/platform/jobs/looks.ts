import type { App } from '../../context.ts'
import { runOutside } from '../transaction/inside.ts'
import { blockedMs, sweepMs } from './job.ts'

/**
 * `count`: jobs claimed. `isBlocked`: something was due and could not be claimed. `nextRunAt`: when the next job is
 * due, null if none waits for a time.
 */
export type Claimed = { count: number; isBlocked: boolean; nextRunAt: Date | null }

/**
 * Creates the looks of a runner for due jobs: at once when it is woken, when the next job is due, and at each sweep.
 */
export function createLooks(app: () => App, claim: () => Promise<Claimed>) {
  let timer: NodeJS.Timeout | undefined
  let started = false
  let looking: Promise<void> | undefined
  let again = false
  /** How many looks in a row found something due and could not claim it. */
  let blockedLooks = 0

  /** Runs one claim at a time. A wake-up during a claim makes another one follow. */
  function look(): void {
    if (!started) return
    if (looking) {
      again = true
      return
    }
    again = false
    clearTimeout(timer)
    looking = runOutside(lookOnce).then((waitMs) => {
      looking = undefined
      if (again) look()
      else if (started) timer = setTimeout(look, waitMs)
    })
  }

  async function lookOnce(): Promise<number> {
    try {
      const { count, isBlocked, nextRunAt } = await claim()
      // A job that is due but was not claimed is locked, usually by another worker for a moment.
      const blockedWaitMs = isBlocked ? blockedMs * 2 ** blockedLooks : sweepMs
      blockedLooks = isBlocked ? blockedLooks + 1 : 0
      if (count > 0) return 0
      const waitMs = nextRunAt ? nextRunAt.getTime() - app().clock.now().getTime() : sweepMs
      return Math.min(Math.max(waitMs, blockedMs), blockedWaitMs, sweepMs)
    } catch (error) {
      app().log.warn({ err: error }, 'jobs cannot be claimed')
      return sweepMs
    }
  }

  return {
    isStarted: () => started,
    look,
    wake() {
      blockedLooks = 0
      look()
    },
    start() {
      started = true
      look()
    },
    /** Resolves when a claim that is running now has ended, which may still begin jobs. */
    async stop() {
      started = false
      clearTimeout(timer)
      await looking
    },
  }
}
