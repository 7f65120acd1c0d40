const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Says how long is left: `23 h 59 min`, `59 min`, and from the last minute on `59 s`. */
export function leftOf(ms: number): string {
  if (ms < minuteMs) return `${Math.ceil(ms / secondMs)} s`
  const hours = Math.floor(ms / hourMs)
  const minutes = Math.floor((ms % hourMs) / minuteMs)
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

/** Returns the milliseconds after which `leftOf` says something else. */
export function untilNextChange(ms: number): number {
  return ms <= minuteMs ? Math.min(ms, secondMs) : (ms % minuteMs) + 1
}
