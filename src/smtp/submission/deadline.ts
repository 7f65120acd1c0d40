const never = Number.POSITIVE_INFINITY

/**
 * Creates a deadline that moves often. Its one timer starts anew only for an earlier deadline, so that a later one
 * costs little.
 */
export function createDeadline(pass: () => void) {
  let deadline = never
  let timer: NodeJS.Timeout | undefined
  let timerAt = never

  function startTimer(waitMs: number): void {
    if (timerAt <= deadline) return
    clearTimeout(timer)
    timerAt = deadline
    timer = setTimeout(expire, waitMs)
  }

  function expire(): void {
    timerAt = never
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) pass()
    else if (leftMs !== never) startTimer(leftMs)
  }

  return {
    set(waitMs: number): void {
      deadline = performance.now() + waitMs
      startTimer(waitMs)
    },
    lift(): void {
      deadline = never
    },
    stop: () => clearTimeout(timer),
  }
}
