import { AsyncLocalStorage } from 'node:async_hooks'

/** The workflow execution on whose behalf a request is made, and its place in its chain: 1 for the first. */
export type Cause = { executionId: string; depth: number }

const storage = new AsyncLocalStorage<Cause | null>()

/** Everything that `work` does, and waits for, has this cause. */
export function runCausedBy<T>(cause: Cause | null, work: () => T): T {
  return storage.run(cause, work)
}

/** Null for a request that no execution made, and in work that does not belong to a request. */
export function currentCause(): Cause | null {
  return storage.getStore() ?? null
}

/** The place in a chain of an execution that starts here and now. */
export function depthHere(): number {
  return (currentCause()?.depth ?? 0) + 1
}
