/** Estimates how long tasks of a team take, from those that ended. */
export type Durations = {
  /** True once one of its tasks has ended. */
  isKnown: boolean
  /** How many tasks in a row must still be brief before the team counts as brief again. */
  toProve: number
}

/** Most code takes about a millisecond. A task of up to this time delays others little. */
const briefMs = 100
/** Enough that a team gains nothing by mixing brief and endless tasks. */
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
