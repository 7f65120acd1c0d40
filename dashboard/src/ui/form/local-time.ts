const pad = (value: number) => String(value).padStart(2, '0')

/** Returns a time as a field of type `datetime-local` takes it, in the reader's zone. Empty without one. */
export function toLocal(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return `${localDay(at)}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** Returns the reader's day of a time, as a field of type `date` takes it. Empty without one. */
export function localDay(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
}

/** Returns the time of such a field in UTC. What is no time is left as it is, for the server to refuse. */
export function fromLocal(text: string): string {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}

/** Returns the beginning of a day, `YYYY-MM-DD`, in the reader's zone, or of one some days later. */
export function startOfDay(day: string | undefined, daysLater = 0): string | undefined {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  if (!year || !month || !date) return undefined
  return new Date(year, month - 1, date + daysLater).toISOString()
}
