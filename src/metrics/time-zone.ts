import { invalid } from '../platform/errors.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export type TimeZone = {
  /** Returns the day of a moment, as its midnight would be in UTC. */
  dayOf(at: number): number
  /** Returns when a day begins, to the nearest full hour. A half is rounded up. */
  startOf(day: number): number
}

/** Throws `invalid` for an unknown name. */
export function timeZone(name: string): TimeZone {
  const offsetOf = offsets(name)
  return {
    dayOf: (at) => Math.floor((at + offsetOf(at)) / dayMs) * dayMs,
    startOf: (day) => Math.round(midnight(day, offsetOf) / hourMs) * hourMs,
  }
}

/** Returns the first moment of a day. Where clocks skip midnight, that is the moment at which they do. */
function midnight(day: number, offsetOf: (at: number) => number): number {
  const early = day - offsetOf(day - dayMs)
  if (day - offsetOf(early) === early) return early
  const late = day - offsetOf(early)
  return day - offsetOf(late) === late ? late : Math.max(early, late)
}

/** Returns a function that tells by how many milliseconds the zone is ahead of UTC at a moment. */
function offsets(name: string): (at: number) => number {
  if (name === 'UTC') return () => 0
  const format = formatOf(name)
  return (at) => {
    const [month, day, year, ...time] = format.format(at).match(/\d+/g)!.map(Number)
    return Date.UTC(year!, month! - 1, day, ...time) - Math.floor(at / 1000) * 1000
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const number = 'numeric' as const
  const fields = { year: number, month: number, day: number, hour: number, minute: number, second: number }
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23' })
  } catch {
    throw invalid('timezone', `must be a name such as Europe/Berlin or UTC; it was "${timeZone}"`)
  }
}
