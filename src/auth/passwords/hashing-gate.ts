import { unavailable } from '../../platform/errors.ts'

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `runningMax` pieces of work at once and lets `waitingMax` wait. Refuses more with `unavailable`, so that a
 * flood costs no memory and delays nobody who waits.
 */
export function createGate({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw unavailable('Too many sign-ins are in progress. Try again shortly.', 1)
      // The work that ends passes its place on, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
