import { createLru } from '../platform/lru.ts'

/** Counts a request of a subject in a window and returns the subject's count. */
type Counter = (subject: string, window: number) => number

/**
 * Counts in the memory of this process, for the current window only. Past `subjectsMax` the oldest subject is dropped,
 * so that a flood of new addresses cannot exhaust the memory.
 */
export function memoryCounter(subjectsMax: number): Counter {
  const empty = () => createLru<number>({ countMax: subjectsMax })
  let counts = empty()
  let current = -1
  return (subject, window) => {
    if (window !== current) {
      counts = empty()
      current = window
    }
    const used = (counts.get(subject) ?? 0) + 1
    counts.set(subject, used)
    return used
  }
}
