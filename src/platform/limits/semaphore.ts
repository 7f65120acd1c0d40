import { createBoundedQueue } from './bounded-queue.ts'

type Semaphore = {
  /**
   * Waits for a slot, first come first served, and returns the function that frees it, to be called once. Null if too
   * many wait already, or if no slot was freed within `waitMs`. `sizeBytes` counts while it waits.
   */
  enter(sizeBytes?: number): Promise<(() => void) | null>
  /** Runs `work` in a slot. Throws what `refusal` returns if `enter` returns null. */
  run<T>(work: () => Promise<T>, refusal?: () => Error): Promise<T>
}

type SemaphoreLimits = { runningMax: number; waitingMax?: number; waitingBytesMax?: number; waitMs?: number }

/** Lets `runningMax` pieces of work run at a time and bounds those that wait. */
export function createSemaphore({
  runningMax,
  waitingMax = Number.POSITIVE_INFINITY,
  waitingBytesMax,
  waitMs,
}: SemaphoreLimits): Semaphore {
  const queue = createBoundedQueue<() => void>({ countMax: waitingMax, bytesMax: waitingBytesMax, waitMs })
  let running = 0

  /** Hands the slot to the next in the queue, so that `running` stays the same. */
  function leave() {
    const next = queue.take()
    if (next) next()
    else running--
  }

  async function enter(sizeBytes = 0) {
    if (running < runningMax) {
      running++
      return leave
    }
    const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
    const fits = queue.add(
      () => resolve(leave),
      sizeBytes,
      () => resolve(null),
    )
    return fits ? promise : null
  }

  return {
    enter,
    async run(work, refusal = () => new Error('Too much work waits already.')) {
      const leave = await enter()
      if (!leave) throw refusal()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
