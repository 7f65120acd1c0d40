/** What deliveries may hold of contents together. */
export type ContentBudget = {
  /** What gives it back, once; null where there is no room: come again in a moment. */
  take(teamId: string, sizeBytes: number): (() => void) | null
}

/** Small contents never wait because others are large; the number of deliveries bounds them. */
const freeBytes = 64 * 1024

/**
 * A large email to many slow hosts is in hand once for each of them. All such may hold `bytesMax` together, and those of one
 * team `teamBytesMax`, so that others' have room while its hosts take their time. Who holds nothing may hold one of any size.
 */
export function createContentBudget(limits: { bytesMax: number; teamBytesMax: number }): ContentBudget {
  const heldBy = new Map<string, number>()
  let held = 0

  function hold(teamId: string, bytes: number) {
    held += bytes
    const its = (heldBy.get(teamId) ?? 0) + bytes
    if (its === 0) heldBy.delete(teamId)
    else heldBy.set(teamId, its)
  }

  return {
    take(teamId, sizeBytes) {
      const bytes = Math.max(0, sizeBytes - freeBytes)
      const its = heldBy.get(teamId) ?? 0
      const fits = (before: number, max: number) => bytes === 0 || before === 0 || before + bytes <= max
      if (!fits(held, limits.bytesMax) || !fits(its, limits.teamBytesMax)) return null
      let given = bytes
      hold(teamId, given)
      return () => {
        hold(teamId, -given)
        given = 0
      }
    },
  }
}
