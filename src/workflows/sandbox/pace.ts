/** How long a team's tasks take, as far as is known. */
export type Pace = {
  /** Whether one of them has come to its end. */
  isKnown: boolean
  /** Tasks that must be brief, one after the other, before it is taken for brief again. */
  toProve: number
}

/** Most code takes about a millisecond. Whoever takes no longer than this holds nobody up. */
const briefMs = 100
/** So many that an endless task now and then does not pay. */
const proofTasks = 10

export function unknownPace(): Pace {
  return { isKnown: false, toProve: 0 }
}

export function notePace(pace: Pace, ms: number): void {
  pace.isKnown = true
  pace.toProve = ms > briefMs ? proofTasks : Math.max(pace.toProve - 1, 0)
}

export function isSlow(pace: Pace): boolean {
  return pace.toProve > 0
}
