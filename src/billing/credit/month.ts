/**
 * Returns the month that contains `at`. Months begin at the anchor's day and time in UTC, or on a shorter month's last
 * day.
 */
export function monthAt(anchor: Date, at: Date): { start: Date; end: Date } {
  let months = (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  if (addMonths(anchor, months) > at) months--
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) }
}

function addMonths(anchor: Date, months: number): Date {
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const moved = new Date(anchor)
  moved.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay))
  return moved
}
