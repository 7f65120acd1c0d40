const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000]

/**
 * Delays after failures of the payment provider or the network. The last one repeats, since overage is never given up.
 */
export const retryDelaysMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs] as const
