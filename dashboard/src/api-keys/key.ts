import type { Posts } from '../api/endpoints.ts'
import type { RowOf } from '../api/request.ts'
import { fromLocal } from '../ui/form/local-time.ts'

export type ApiKey = RowOf<'/v1/api-keys'>
export type CreatedApiKey = Posts['/v1/api-keys']['answer']

/**
 * Returns the last second of a day of the reader, `YYYY-MM-DD`, in UTC. Null for no day. A year of five digits, which
 * browsers take, is left for the server to refuse.
 */
export function endOfDay(day: string): string | null {
  return day === '' ? null : fromLocal(`${day}T23:59:59`)
}
