import { unavailable } from '../../platform/errors.ts'

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `runningMax` pieces of costly work run and `waitingMax` wait; whoever comes on top is refused at once with
 * `unavailable`, so that a flood costs neither memory nor the time of those who wait already.
 */
export function createGate({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax)
        throw unavailable('Too many people are signing in at this moment. Try again shortly.', 1)
      // Whoever leaves hands its place over, so `running` stays as it is.
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
