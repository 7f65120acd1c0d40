/** The bytes that the readers of all streams of a process have not read. */
export type UnreadBytes = {
  /**
   * Notes what a reader has not read after something was written to it. Cuts off readers if it is too much of all
   * together.
   */
  note(reader: UnreadReader): void
  leave(reader: UnreadReader): void
}

type UnreadReader = { unreadBytes(): number; cutOff(): void }

/**
 * Bounds the bytes that readers have not read together. What each had left is remembered from its last write, and
 * looked at anew only once the sum is too large. Then those that are furthest behind are cut off.
 */
export function boundUnread(bytesMax: number): UnreadBytes {
  const known = new Map<UnreadReader, number>()
  let sum = 0

  function set(reader: UnreadReader, bytes: number): void {
    sum += bytes - (known.get(reader) ?? 0)
    if (bytes > 0) known.set(reader, bytes)
    else known.delete(reader)
  }

  function cutOffSlowest(): void {
    for (const reader of [...known.keys()]) set(reader, reader.unreadBytes())
    const slowestFirst = [...known].sort(([, left], [, right]) => right - left)
    for (const [reader] of slowestFirst) {
      if (sum <= bytesMax) return
      set(reader, 0)
      reader.cutOff()
    }
  }

  return {
    note(reader) {
      set(reader, reader.unreadBytes())
      if (sum > bytesMax) cutOffSlowest()
    },
    leave: (reader) => set(reader, 0),
  }
}
