import { sql } from 'kysely'

/**
 * The headers of an email hold the `Date` of its message once a scheduled or planned email was begun, so that every
 * repeat is the same message. The caller cannot set this header. An email that was sent at once has the time at which
 * it was accepted.
 */
export const messageDate = sql<Date>`coalesce((headers->>'Date')::timestamptz, created_at)`

/** The headers of an email that its caller gave. */
export const givenHeaders = sql<Record<string, string> | null>`nullif(headers - 'Date', '{}')`

export const hasMessageDate = sql<boolean>`coalesce(headers ? 'Date', false)`

export function headersWithDate(date: Date) {
  return sql`coalesce(headers, '{}') || jsonb_build_object('Date', ${date.toISOString()}::text)`
}
