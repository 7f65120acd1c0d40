import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { perApp } from '../per-app.ts'
import { rowsOf } from '../sql-rows.ts'
import { addDay, dayOf } from './days.ts'

export type LoggedRequest = {
  teamId: string
  id: string
  at: Date
  method: string
  path: string
  status: number
  durationMs: number
  apiKeyId: string | null
  userId: string | null
  address: string
  errorName: string | null
}

/** Writes requests in one statement, of any teams. */
export async function writeRequests(app: App, requests: LoggedRequest[]): Promise<void> {
  await addMissingDays(app, requests)
  const columns = {
    ...({ teamId: 'uuid', id: 'uuid', at: 'timestamptz', method: 'text', path: 'text' } as const),
    ...({ status: 'int', durationMs: 'int', apiKeyId: 'uuid', userId: 'uuid' } as const),
    ...({ address: 'text', errorName: 'text' } as const),
  }
  await sql`
    insert into request_log
      (team_id, id, at, method, path, status, duration_ms, api_key_id, user_id, address, error_name)
    select * from ${rowsOf(requests, columns).as('request')}
  `.execute(app.db)
}

/** The days that this process has seen the partition of. */
const knownDays = perApp((_: App) => new Set<string>())
const knownMax = 10

/** A job adds the days ahead. This adds one that is missing, for example because no worker ran. */
async function addMissingDays(app: App, requests: LoggedRequest[]): Promise<void> {
  const known = knownDays(app)
  const missing = new Set(requests.map(({ at }) => dayOf(at)).filter((day) => !known.has(day)))
  for (const day of missing) {
    await app.transaction((tx) => addDay(tx, day))
    if (known.size >= knownMax) known.clear()
    known.add(day)
  }
}
