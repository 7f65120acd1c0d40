import Type from 'typebox'
import { invalid } from '../../errors.ts'

const examples = ['2026-01-31T09:30:00Z']

/** The query fields of a list that takes a range of time. */
export const TimeRange = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'At this time or later.', examples })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time.', examples })),
}

/** Parses the range of a query; null where a side is open. Throws `invalid` if it holds no time. */
export function readTimeRange({ from, until }: { from?: string; until?: string }): {
  from: Date | null
  until: Date | null
} {
  const range = {
    from: from === undefined ? null : new Date(from),
    until: until === undefined ? null : new Date(until),
  }
  if (range.from && range.until && range.from >= range.until)
    throw invalid('until', `must be later than "from"; it was "${until}"`)
  return range
}
