const minuteMs = 60_000

/** Delays after failures. The last one repeats until 24 hours have passed (docs/decisions/hand-over.md). */
export const backoffMs = [5000, 30_000, 2 * minuteMs, 10 * minuteMs, 60 * minuteMs]
export const giveUpMs = 24 * 60 * minuteMs
export const givenUp = 'Given up after 24 hours'
/** Repeats after lost answers, because the server may have taken the message each time. */
export const lostRepeatsMax = 2

export function delayAfter(failures: number): number {
  return backoffMs[Math.min(failures, backoffMs.length) - 1]!
}
