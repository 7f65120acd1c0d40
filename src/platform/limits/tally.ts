/** Numbers by key. A key whose number is 0 takes no memory. */
type Tally = { of(key: string): number; add(key: string, by: number): void }

export function createTally(): Tally {
  const numbers = new Map<string, number>()
  return {
    of: (key) => numbers.get(key) ?? 0,
    add(key, by) {
      const sum = (numbers.get(key) ?? 0) + by
      if (sum === 0) numbers.delete(key)
      else numbers.set(key, sum)
    },
  }
}
