import type { Generated, JSONColumnType } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    jobs: {
      id: Generated<string>
      kind: string
      team_id: string | null
      key: string | null
      payload: JSONColumnType<Record<string, unknown>, string, string>
      run_at: Date
      lease_token: string | null
      attempts: Generated<number>
      failures: Generated<number>
      take_ups: Generated<number>
      taken_up: Generated<boolean>
      endings: Generated<number>
      last_error: string | null
      created_at: Date
    }
    discarded_jobs: {
      id: string
      kind: string
      team_id: string | null
      key: string | null
      payload: JSONColumnType<Record<string, unknown>, string, string>
      attempts: number
      error: string
      created_at: Date
      discarded_at: Date
    }
  }
}
