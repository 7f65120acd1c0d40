import type { ScheduleConfig } from './due.ts'

/**
 * Computes how often a schedule is due in a minute, as the average of an hour in which it is due: 60 for every second,
 * 1 for every minute, a sixtieth for once a day. Expects a config without `scheduleFaults`.
 */
export function firesPerMinute({ cron }: ScheduleConfig): number {
  const fields = cron.trim().split(/\s+/)
  const [second, minute] = fields.length === 6 ? [fields[0]!, fields[1]!] : ['0', fields[0]!]
  return (countValues(second) * countValues(minute)) / 60
}

/**
 * Counts the values from 0 to 59 that a field names: `*`, `5`, `10-20`, a step after `*` or a range, and lists of
 * these.
 */
function countValues(field: string): number {
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const [range = '*', step = '1'] = part.split('/')
    const [first = '0', last = first] = range === '*' ? ['0', '59'] : range.split('-')
    for (let value = Number(first); value <= Number(last); value += Number(step)) values.add(value)
  }
  return values.size
}
