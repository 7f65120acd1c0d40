/** Returns the middle value, or the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return Number.isInteger(half) ? (sorted[half - 1]! + sorted[half]!) / 2 : sorted[Math.floor(half)]!
}

/** The value that `share` of all, 0 to 1, do not exceed. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/**
 * Returns each side's figure of every round. Measures in turns, so that disturbances of the machine affect all sides.
 */
export async function inTurns<Side extends string, Figure>(
  rounds: number,
  sides: Record<Side, () => Promise<Figure>>,
): Promise<Record<Side, Figure[]>> {
  const names = Object.keys(sides) as Side[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Side, Figure[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) figures[name].push(await sides[name]())
  }
  return figures
}
