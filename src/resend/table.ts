import type { ColumnType } from 'kysely'

declare module '../database.ts' {
  interface Database {
    resend_extras: {
      team_id: string
      /** The row that it belongs to. */
      id: string
      noun: string
      /** Names the row within its team and noun. */
      alias: string | null
      extra: ColumnType<Record<string, unknown>, string, string>
      created_at: Date
    }
  }
}
