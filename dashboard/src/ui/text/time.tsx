const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const today = new Intl.DateTimeFormat(undefined, clock)
const thisYear = new Intl.DateTimeFormat(undefined, { ...day, ...clock })
const before = new Intl.DateTimeFormat(undefined, { ...day, year: 'numeric' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A time in the reader's zone, with UTC in the title. `isExact` shows the day and the seconds. */
export function Time({ at, isExact }: { at: string; isExact?: boolean }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`} className="time">
      {isExact ? exact.format(date) : nearTime(date, new Date())}
    </time>
  )
}

/** Returns the hour of today, the day and hour of this year, or the day. */
function nearTime(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return today.format(date)
  return date.getFullYear() === now.getFullYear() ? thisYear.format(date) : before.format(date)
}
