import type { Posts } from '../api/endpoints.ts'
import type { RowOf } from '../api/request.ts'

export type ApiKey = RowOf<'/v1/api-keys'>
export type CreatedApiKey = Posts['/v1/api-keys']['answer']

/** Returns the last second of a day of the reader, `YYYY-MM-DD`, in UTC. Null for no day. */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}

/** Returns the reader's day of a time, as a field of type `date` takes it. */
export function dayOf(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}
