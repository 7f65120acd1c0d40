import type { Capacity } from './claim.ts'
import type { JobDefinition } from './job.ts'

/** Counts the running jobs of a process, of each kind up to its concurrency. */
export type Slots = {
  /** Returns the kinds with free slots. */
  free(): Capacity[]
  /**
   * Takes a slot of a kind. The returned function gives it back. It returns true once half of the jobs that ran after
   * the last claim have ended, when more are claimed.
   */
  enter(kind: string): () => boolean
  /** Notes how many jobs of each kind run after a claim. */
  notePeaks(kinds: string[]): void
}

export function createSlots(definitions: JobDefinition[]): Slots {
  const counts = new Map(definitions.map(({ kind, concurrency }) => [kind, { kind, concurrency, running: 0, peak: 0 }]))
  return {
    free() {
      const all = [...counts.values()].map(({ kind, concurrency, running }) => ({ kind, free: concurrency - running }))
      return all.filter(({ free }) => free > 0)
    },
    enter(kind) {
      const count = counts.get(kind)!
      count.running++
      return () => --count.running <= count.peak / 2
    },
    notePeaks(kinds) {
      for (const count of kinds.map((kind) => counts.get(kind)!)) count.peak = count.running
    },
  }
}
