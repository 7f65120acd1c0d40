import type { ActionNode, Outcome, Turn } from '../../nodes/node.ts'

/** Longer than any node waits for anybody: http_request gives up after 30 s, a code node after 1 s. */
const attemptMaxMs = 60_000

export type Attempt = { abort(reason: Error): void }
export type Result = { outcome: Outcome } | { error: Error }

/** Runs a node once. What does not come to an end, or is aborted, is left behind and has failed. */
export function attemptNode(
  type: ActionNode,
  turn: Omit<Turn, 'signal'>,
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
  const timer = setTimeout(() => abort(new Error(tooLong)), attemptMaxMs)
  const whole: Turn = {
    ...turn,
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
