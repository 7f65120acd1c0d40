import { oneAtATime } from './one-at-a-time.ts'
import { Unreachable } from './refusal.ts'
import { createStore } from './store.ts'

/** True while the server cannot be reached. */
export const unreachable = createStore(false)

const firstWaitMs = 1000
const longestWaitMs = 10_000

/**
 * The effect of a request that is repeated: `nothing`, as of one that reads; `the-same` as the first had, as of a
 * change of fields or a request with an `Idempotency-Key`; or all of it `again`.
 */
export type Repeat = 'nothing' | 'the-same' | 'again'

/** Makes a request. A request that changes nothing waits for the server to come back; others throw `Unreachable`. */
export async function reach(request: () => Promise<Response>, repeat: Repeat): Promise<Response> {
  const mayBeDone = repeat === 'again'
  for (;;) {
    try {
      const answer = await request()
      if (isOfProxy(answer)) throw new Unreachable(mayBeDone)
      unreachable.set(false)
      return answer
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      const back = untilBack()
      if (repeat !== 'nothing') throw new Unreachable(mayBeDone)
      await back
    }
  }
}

/** Asks until the server answers. */
const untilBack = oneAtATime(async (): Promise<void> => {
  unreachable.set(true)
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const isBack = await fetch('/health', { cache: 'no-store' }).then(
      (answer) => !isOfProxy(answer),
      () => false,
    )
    if (isBack) return unreachable.set(false)
    // Another request may have been answered meanwhile, as by a proxy that reaches only a part of the server.
    unreachable.set(true)
  }
})

/** A proxy in front of Posthorn answers for it while it is away. Refusals of Posthorn itself are JSON. */
export function isOfProxy({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return [502, 503, 504].includes(status) && !headers.get('Content-Type')?.includes('json')
}
