import { AsyncLocalStorage } from 'node:async_hooks'
import type { Mode } from '../mode/mode.ts'

/** The workflow execution on whose behalf a request is made, its place in its chain (1 for the first), and its mode. */
export type Cause = { executionId: string; depth: number; mode: Mode }

const storage = new AsyncLocalStorage<Cause | null>()

/** Runs `work` with a cause, which applies to everything that `work` does and waits for. */
export function runCausedBy<T>(cause: Cause | null, work: () => T): T {
  return storage.run(cause, work)
}

/** Returns the present cause. Null for a request that no execution made, and in work outside requests. */
export function currentCause(): Cause | null {
  return storage.getStore() ?? null
}

/** Returns the place in the chain of an execution that starts now. */
export function depthHere(): number {
  return (currentCause()?.depth ?? 0) + 1
}
