import { Unreachable } from './refusal.ts'

/** Whether the server can be reached. Views subscribe with `useSyncExternalStore`. */
let isDown = false
let probing: Promise<void> | null = null
const listeners = new Set<() => void>()

const firstWaitMs = 1000
const longestWaitMs = 10_000

export function isUnreachable(): boolean {
  return isDown
}

export function onReach(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Makes a request. A request that changes nothing waits for the server to come back; others throw `Unreachable`. */
export async function reach(request: () => Promise<Response>, mayRepeat: boolean): Promise<Response> {
  for (;;) {
    try {
      const answer = await request()
      if (isOfProxy(answer)) throw new Unreachable()
      set(false)
      return answer
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      probing ??= untilBack().finally(() => {
        probing = null
      })
      if (!mayRepeat) throw new Unreachable()
      await probing
    }
  }
}

/** Asks until the server answers. */
async function untilBack(): Promise<void> {
  set(true)
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const isBack = await fetch('/health', { cache: 'no-store' }).then(
      (answer) => !isOfProxy(answer),
      () => false,
    )
    if (isBack) return set(false)
    // Another request may have been answered meanwhile, as by a proxy that reaches only a part of the server.
    set(true)
  }
}

/** A proxy in front of Posthorn answers for it while it is away. Refusals of Posthorn itself are JSON. */
export function isOfProxy({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return [502, 503, 504].includes(status) && !headers.get('Content-Type')?.includes('json')
}

function set(value: boolean): void {
  if (isDown === value) return
  isDown = value
  for (const listener of listeners) listener()
}
