/** Measures how long a server lets messages wait for an answer. */
type Silence = {
  /** Notes the start of a message. Call the returned function when it has an answer or has failed. */
  begin(nowMs: number): (nowMs: number) => void
  /** True if a message has been waiting for `longMs`, or the last one that ended did. */
  isLong(nowMs: number): boolean
}

export function createSilence(longMs: number): Silence {
  /** The starts of messages without an answer, oldest first. */
  const begun = new Set<{ atMs: number }>()
  let lastWasLong = false
  return {
    begin(atMs) {
      const one = { atMs }
      begun.add(one)
      return (nowMs) => {
        begun.delete(one)
        lastWasLong = nowMs - atMs >= longMs
      }
    },
    isLong(nowMs) {
      const [oldest] = begun
      return lastWasLong || (oldest !== undefined && nowMs - oldest.atMs >= longMs)
    },
  }
}
