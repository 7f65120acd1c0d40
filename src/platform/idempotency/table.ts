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
      /** The answer. While `status` is null it holds what the claim has beside its ids: `{more}`, or null. */
      response: ColumnType<object | null, string | null, string | null>
      created_at: Date
    }
  }
}
