/** Counts the hits of a subject within a window and answers how many it has now. */
export type Counter = (subject: string, window: number) => number

/**
 * Counts of the current window alone, in this process. Past `subjectsMax` the one seen first is forgotten: a flood from
 * ever new addresses may win a few requests, never the memory.
 */
export function memoryCounter(subjectsMax: number): Counter {
  let counts = new Map<string, number>()
  let current = -1
  return (subject, window) => {
    if (window !== current) {
      counts = new Map()
      current = window
    }
    const used = (counts.get(subject) ?? 0) + 1
    if (used === 1 && counts.size >= subjectsMax) {
      const [first] = counts.keys()
      if (first !== undefined) counts.delete(first)
    }
    counts.set(subject, used)
    return used
  }
}
