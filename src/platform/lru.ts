/** A map from texts that forgets the entry that was used longest ago. */
type Lru<Value> = {
  /** Counts as a use. */
  get(key: string): Value | undefined
  /** Counts as a use. */
  set(key: string, value: Value): void
  has(key: string): boolean
  delete(key: string): void
  values(): Iterable<Value>
  /** The number of entries and the sum of their bytes. */
  size(): { count: number; bytes: number }
}

type LruLimits<Value> = {
  countMax: number
  bytesMax?: number
  /** The bytes of a value. Its key counts two bytes for each UTF-16 unit. */
  bytesOf?(value: Value): number
}

/** The estimated bytes of an entry besides its key and value. */
const entryBytes = 100

/** Holds at most `countMax` entries and `bytesMax` bytes. An entry that alone exceeds `bytesMax` is not kept. */
export function createLru<Value>({
  countMax,
  bytesMax = Number.POSITIVE_INFINITY,
  bytesOf = () => 0,
}: LruLimits<Value>): Lru<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>()
  let held = 0

  function remove(key: string): void {
    held -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value) {
      remove(key)
      const bytes = 2 * key.length + bytesOf(value) + entryBytes
      if (bytes > bytesMax) return
      entries.set(key, { value, bytes })
      held += bytes
      while (held > bytesMax || entries.size > countMax) remove(entries.keys().next().value!)
    },
    has: (key) => entries.has(key),
    delete: remove,
    *values() {
      for (const { value } of entries.values()) yield value
    },
    size: () => ({ count: entries.size, bytes: held }),
  }
}
