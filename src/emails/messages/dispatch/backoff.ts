const minuteMs = 60_000

/** Of the decisions, section 4: delays after failures, the last one repeating, until 24 hours have passed. */
export const backoffMs = [5000, 30_000, 2 * minuteMs, 10 * minuteMs, 60 * minuteMs]
export const giveUpMs = 24 * 60 * minuteMs

export function delayAfter(failures: number): number {
  return backoffMs[Math.min(failures, backoffMs.length) - 1]!
}
