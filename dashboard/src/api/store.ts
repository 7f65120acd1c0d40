/** A value that views follow with `useSyncExternalStore(store.subscribe, store.get)`. */
export function createStore<T>(initial: T) {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next: T) {
      if (next === value) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
