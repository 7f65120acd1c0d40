import { invalid } from '../platform/errors.ts'
import { type TimeZone, timeZone } from './time-zone.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const usualDays = 30
/** A month by the hour, or two years by the day. */
const pointsMax = 750
const earliest = Date.parse('0001-01-01T00:00:00Z')

export type Range = {
  from?: string | undefined
  until?: string | undefined
  interval?: 'hour' | 'day' | undefined
  timezone?: string | undefined
}

/** The beginnings of the points, and the end of the last one. All are full hours. */
export type Points = { starts: Date[]; end: Date }

/**
 * Returns the points that a request asks for: whole hours or days, from the one that holds `from` to the one that ends
 * at or after `until`. The last 30 days if nothing is said. Throws `invalid` for a range that is empty or has too many
 * points.
 */
export function pointsOf({ from, until, interval = 'day', timezone = 'UTC' }: Range, now: Date): Points {
  const zone = timeZone(timezone)
  // The last point holds facts of this very moment.
  const end = until === undefined ? now.getTime() + 1 : Date.parse(until)
  const start = from === undefined ? null : Date.parse(from)
  if (start !== null && start >= end) {
    const given = until === undefined ? `now is ${now.toISOString()}` : `"until" was "${until}"`
    throw invalid('from', `must be before "until"; it was "${from}", and ${given}`)
  }
  refuseMany((end - (start ?? end)) / (interval === 'hour' ? hourMs : dayMs) - 1, interval)
  const edges = interval === 'hour' ? hours(start, end) : days(zone, start, end)
  refuseMany(edges.length - 1, interval)
  if (edges[0]! < earliest)
    throw invalid(start === null ? 'until' : 'from', 'must be later: points begin in the year 1')
  return { starts: edges.slice(0, -1).map((at) => new Date(at)), end: new Date(edges.at(-1)!) }
}

function refuseMany(count: number, interval: 'hour' | 'day'): void {
  if (count <= pointsMax) return
  const instead = interval === 'hour' ? 'Ask for a shorter range, or by day.' : 'Ask for a shorter range.'
  const message = `and "until" must be at most ${pointsMax} points apart; they are ${Math.ceil(count)} ${interval}s. ${instead}`
  throw invalid('from', message)
}

function hours(from: number | null, until: number): number[] {
  const end = Math.ceil(until / hourMs) * hourMs
  const start = from === null ? end - usualDays * dayMs : Math.floor(from / hourMs) * hourMs
  return Array.from({ length: (end - start) / hourMs + 1 }, (_, index) => start + index * hourMs)
}

function days(zone: TimeZone, from: number | null, until: number): number[] {
  const last = dayWith(zone, until - 1)
  const first = from === null ? last - (usualDays - 1) * dayMs : dayWith(zone, from)
  return Array.from({ length: (last - first) / dayMs + 2 }, (_, index) => zone.startOf(first + index * dayMs))
}

/**
 * Returns the day that holds a moment. Its rounded beginning or end may put the moment into the next or previous one.
 */
function dayWith(zone: TimeZone, at: number): number {
  const day = zone.dayOf(at)
  if (zone.startOf(day) > at) return day - dayMs
  return zone.startOf(day + dayMs) <= at ? day + dayMs : day
}
