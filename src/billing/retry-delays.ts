const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000]

/** After failures at the payment provider, or on the way to it: the last one repeats, for nothing of it is given up. */
export const retryDelaysMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs] as const
