/** Durations up to this are in the first column. Each further column ends at 1.41 times the end of the one before. */
const firstEndMs = 4

/**
 * Estimates the 95th percentile of durations, in whole milliseconds, from their numbers by column (`durationColumns`).
 * It lies in the right column, so it is at most 42 % too high and 30 % too low. 0 if there are none.
 */
export function p95Of(counts: readonly number[]): number {
  const wanted = Math.ceil(counts.reduce((sum, count) => sum + count, 0) * 0.95)
  if (wanted === 0) return 0
  let before = 0
  for (const [step, count] of counts.entries()) {
    if (before + count < wanted) {
      before += count
      continue
    }
    const [start, end] = [step === 0 ? 0 : endOf(step - 1), endOf(step)]
    return Math.round(start + (end - start) * ((wanted - before) / count))
  }
  return 0
}

function endOf(step: number): number {
  return firstEndMs * 2 ** (step / 2)
}
