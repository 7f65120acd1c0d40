/** Does the work for each item, at most `most` at a time, and returns the results in the order of the items. */
export async function someAtATime<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  async function take(): Promise<void> {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, take))
  return results
}
