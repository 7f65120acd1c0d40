import type { ColumnType } from 'kysely'

declare module '../../database.ts' {
  interface Database {
    idempotency_keys: {
      team_id: string
      endpoint: string
      key: string
      body_hash: Buffer
      resource_ids: string[]
      status: number | null
      response: ColumnType<object | null, string | null, string | null>
      created_at: Date
    }
  }
}
