/** How long a server lets messages wait for their answer. */
export type Silence = {
  /** A message is begun; call what it gives back when it has its answer, or none. */
  begin(nowMs: number): (nowMs: number) => void
  /** One has waited for long now, or the last one did. */
  isLong(nowMs: number): boolean
}

export function createSilence(longMs: number): Silence {
  /** When those without an answer were begun, the oldest first. */
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
