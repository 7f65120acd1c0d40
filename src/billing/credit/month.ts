/** The month that holds `at`. Months begin on the day and time of the anchor, or on the last day of a shorter month, in UTC. */
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
