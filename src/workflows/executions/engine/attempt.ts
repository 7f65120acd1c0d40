import type { ActionNode, Turn } from '../../nodes/node.ts'
import type { Result } from './step/ending.ts'

/**
 * Longer than a node usually takes: send_email waits 40 s for an earlier attempt or 30 s for the provider, and
 * http_request 30 s for an answer.
 */
const attemptMaxMs = 60_000

export type Attempt = { abort(reason: Error): void }

/**
 * Runs a node once, and calls `done` with the result. An attempt that takes longer than a minute, or is aborted, fails,
 * and a later result is ignored. The time that a node waits for a thread does not count (`turn.clock`).
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

/** Creates the signal when it is first used: few nodes use one, and it costs more than running a simple node. */
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
