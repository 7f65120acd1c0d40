export type BoundedCache<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  /** Entries, and the sum of their sizes. */
  size(): { count: number; bytes: number }
}

/** The estimated bytes of an entry besides its key and value. */
const entryBytes = 100

/**
 * A map with a limit on the number of its entries and on their bytes. The oldest entries make room for new ones; an entry
 * that alone exceeds `bytesMax` is not kept. `bytesOf` gives the size of a value; a key counts by its length.
 */
export function boundedCache<Value>(limits: {
  countMax: number
  bytesMax: number
  bytesOf(value: Value): number
}): BoundedCache<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>()
  let held = 0
  function remove(key: string): void {
    held -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value) {
      remove(key)
      const bytes = 2 * key.length + limits.bytesOf(value) + entryBytes
      if (bytes > limits.bytesMax) return
      entries.set(key, { value, bytes })
      held += bytes
      while (held > limits.bytesMax || entries.size > limits.countMax) remove(entries.keys().next().value!)
    },
    delete: remove,
    size: () => ({ count: entries.size, bytes: held }),
  }
}
