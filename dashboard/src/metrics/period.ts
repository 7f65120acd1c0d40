export type Period = { value: string; label: string; interval: 'hour' | 'day'; points: number }

/** The periods to choose from. The API gives 750 points at most. */
export const periods: Period[] = [
  { value: '24h', label: 'Last 24 hours', interval: 'hour', points: 24 },
  { value: '7d', label: 'Last 7 days', interval: 'hour', points: 7 * 24 },
  { value: '30d', label: 'Last 30 days', interval: 'day', points: 30 },
  { value: '90d', label: 'Last 90 days', interval: 'day', points: 90 },
  { value: '12m', label: 'Last 12 months', interval: 'day', points: 365 },
]
const usual = periods[2]!

const hourMs = 3_600_000
const msOf = { hour: hourMs, day: 24 * hourMs }

export function periodOf(value: string | undefined): Period {
  return periods.find((period) => period.value === value) ?? usual
}

/** Returns the beginning of a period's first point, which is a full hour or a day in UTC. The last point holds now. */
export function startOf({ interval, points }: Period, now: Date): string {
  const length = msOf[interval]
  return new Date((Math.floor(now.getTime() / length) - points + 1) * length).toISOString()
}
