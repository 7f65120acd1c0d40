const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const hour = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
})

/** Points of figures are in UTC, as the days of limits are. */
export const dayLabel = (at: string) => day.format(new Date(at))
export const hourLabel = (at: string) => hour.format(new Date(at))
