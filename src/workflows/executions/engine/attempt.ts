import type { ActionNode, Outcome, Turn } from '../../nodes/node.ts'

/** Longer than any node is at work: send_email waits 40 s for a hand-over, http_request 30 s for an answer. */
const attemptMaxMs = 60_000

export type Attempt = { abort(reason: Error): void }
export type Result = { outcome: Outcome } | { error: Error }

/**
 * Runs a node once. What does not come to an end, or is aborted, is left behind and has failed; but no node fails for standing
 * in line, so while it does, its time does not pass.
 */
export function attemptNode(
  type: ActionNode,
  turn: Omit<Turn, 'signal' | 'clock'>,
  input: Record<string, unknown>,
  done: (result: Result) => void,
): Attempt {
  const controller = lazyController()
  let isOver = false
  function end(result: Result): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    done(result)
  }
  function abort(reason: Error): void {
    controller.abort(reason)
    end({ error: reason })
  }
  const tooLong = `It did not come to an end within ${attemptMaxMs / 1000} s.`
  let timer: NodeJS.Timeout | undefined
  const clock = {
    stop: () => clearTimeout(timer),
    start(): void {
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(() => abort(new Error(tooLong)), attemptMaxMs)
    },
  }
  clock.start()
  const whole: Turn = {
    ...turn,
    clock,
    get signal() {
      return controller.signal()
    },
  }
  const run = async () => type.run(whole, input)
  run().then(
    (outcome) => end({ outcome }),
    (error: unknown) => end({ error: error instanceof Error ? error : new Error(String(error)) }),
  )
  return { abort }
}

/** Few nodes ask for a signal, and one costs more than many a node does. */
function lazyController() {
  let controller: AbortController | undefined
  let reason: Error | undefined
  return {
    signal(): AbortSignal {
      controller ??= new AbortController()
      if (reason) controller.abort(reason)
      return controller.signal
    },
    abort(why: Error): void {
      reason = why
      controller?.abort(why)
    },
  }
}
