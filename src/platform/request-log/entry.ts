import { sql } from 'kysely'

/** A request as it is noted. Its id holds the time of its arrival. */
export type LoggedRequest = {
  teamId: string
  id: string
  method: string
  path: string
  status: number
  durationMs: number
  apiKeyId: string | null
  userId: string | null
  address: string
  /** The `name` of the refusal; null for answers that are none. */
  errorName: string | null
}

/** Returns a request as it is stored in a page. */
export function entryOf(request: LoggedRequest) {
  const { id, method, path, status, durationMs, apiKeyId, userId, address, errorName } = request
  return [id, method, path, status, durationMs, apiKeyId, userId, address, errorName] as const
}

/** A stored request as `entryColumns` reads it. */
export type EntryRow = Omit<LoggedRequest, 'teamId'>

/** The fields of a stored request, as SQL over the JSON `entry`, in the order of `entryOf`. */
export const entryFields = {
  id: sql<string>`(entry ->> 0)::uuid`,
  method: sql<string>`entry ->> 1`,
  path: sql<string>`entry ->> 2`,
  status: sql<number>`(entry ->> 3)::integer`,
  durationMs: sql<number>`(entry ->> 4)::integer`,
  apiKeyId: sql<string | null>`(entry ->> 5)::uuid`,
  userId: sql<string | null>`(entry ->> 6)::uuid`,
  address: sql<string>`entry ->> 7`,
  errorName: sql<string | null>`entry ->> 8`,
} satisfies Record<keyof EntryRow, unknown>

/** All fields, for a select list. */
export const entryColumns = sql.join(
  Object.entries(entryFields).map(([name, value]) => sql`${value} as ${sql.ref(name)}`),
)
