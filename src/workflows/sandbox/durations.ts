/** How long a team's tasks take, as far as is known. */
export type Durations = {
  /** Whether one of its tasks has ended. */
  isKnown: boolean
  /** Tasks in a row that must be brief before the team counts as brief again. */
  toProve: number
}

/** Most code takes about a millisecond. A task that takes no longer than this holds up nothing. */
const briefMs = 100
/** So many that an endless task now and then does not pay. */
const proofTasks = 10

export function unknownDurations(): Durations {
  return { isKnown: false, toProve: 0 }
}

export function noteDuration(durations: Durations, ms: number): void {
  durations.isKnown = true
  durations.toProve = ms > briefMs ? proofTasks : Math.max(durations.toProve - 1, 0)
}

export function isSlow({ toProve }: Durations): boolean {
  return toProve > 0
}
