import { isTime } from '../../platform/http/schema/validation.ts'

/**
 * A point in time. A time without a zone is nowhere on the line of the others; a day begins at midnight UTC, or at its
 * own.
 */
type Instant = { nanoseconds: bigint; zone: 'known' | 'unknown' | 'day' }

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Reads an ISO 8601 day, or time with or without a zone. Null for any other value, also for the 30th of February. */
export function instantOf(value: unknown): Instant | null {
  const parts = typeof value === 'string' ? form.exec(value) : null
  if (!parts) return null
  const [, day, time = '00:00', fraction = '', zone] = parts
  const whole = `${day}T${time}${(zone ?? 'Z').toUpperCase()}`
  if (!isTime(whole)) return null
  const nanoseconds = BigInt(Date.parse(whole)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
  return { nanoseconds, zone: zone ? 'known' : parts[2] ? 'unknown' : 'day' }
}

/** Returns a number below 0, 0, or above 0; null if the order depends on a zone that is not known. */
export function compareInstants(left: Instant, right: Instant): number | null {
  const zones = [left.zone, right.zone]
  if (zones.includes('known') && zones.includes('unknown')) return null
  if (left.nanoseconds === right.nanoseconds) return 0
  return left.nanoseconds < right.nanoseconds ? -1 : 1
}
