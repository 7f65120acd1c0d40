import { createStore } from './store.ts'

const held = createStore<{ promise: Promise<void>; resolve: () => void } | null>(null)

/** Lets the requests of the page wait until they are released. */
export function holdRequests(): void {
  if (!held.get()) held.set(Promise.withResolvers<void>())
}

export function releaseRequests(): void {
  held.get()?.resolve()
  held.set(null)
}

/** Returns a promise that resolves once requests are released; undefined if none has to wait. */
export function untilReleased(): Promise<void> | undefined {
  return held.get()?.promise
}
