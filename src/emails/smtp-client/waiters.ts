import type { Reply } from './reply.ts'

type Waiter = { resolve(reply: Reply | null): void; timeoutMs: number; endsPlaintext: boolean }

/**
 * Creates the queue of callers that wait for the server's next replies. `expire` is called when the first waits too
 * long.
 */
export function createWaiters(expire: (timeoutMs: number) => void) {
  const waiters: Waiter[] = []
  /**
   * One timer for each duration in use, restarted when a waiter with that duration becomes the first in the queue: this
   * is cheaper than a timer for each reply. A timeout covers a whole reply, so slow bytes do not extend it.
   */
  const timers = new Map<number, NodeJS.Timeout>()

  function startTimer() {
    const head = waiters[0]
    if (!head) return
    const timer = timers.get(head.timeoutMs)
    if (timer) timer.refresh()
    else timers.set(head.timeoutMs, setTimeout(pass, head.timeoutMs, head.timeoutMs).unref())
  }

  function pass(timeoutMs: number) {
    if (waiters[0]?.timeoutMs === timeoutMs) expire(timeoutMs)
  }

  return {
    add(timeoutMs: number, endsPlaintext: boolean): Promise<Reply | null> {
      return new Promise((resolve) => {
        waiters.push({ resolve, timeoutMs, endsPlaintext })
        if (waiters.length === 1) startTimer()
      })
    },
    /** Gives a reply to the first waiter. Undefined if none waits. */
    answer(reply: Reply): Waiter | undefined {
      const waiter = waiters.shift()
      waiter?.resolve(reply)
      return waiter
    },
    startTimer,
    /** Gives null to all. */
    end() {
      for (const timer of timers.values()) clearTimeout(timer)
      for (const waiter of waiters.splice(0)) waiter.resolve(null)
    },
  }
}
