import type { Generated, JSONColumnType } from 'kysely'

export type JobsTable = {
  id: Generated<string>
  kind: string
  team_id: string | null
  key: string | null
  payload: JSONColumnType<Record<string, unknown>, string, string>
  run_at: Date
  lease_token: string | null
  attempts: Generated<number>
  last_error: string | null
  created_at: Date
}
