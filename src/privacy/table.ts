import type { ColumnType, Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    privacy_requests: PrivacyRequestsTable
    privacy_export_parts: PrivacyExportPartsTable
  }
}

export type Counts = Record<string, { found?: number; removed?: number; left?: number }>

export type PrivacyRequestsTable = {
  team_id: string
  id: string
  type: 'export' | 'erase'
  status: Generated<'running' | 'done' | 'failed'>
  /** Encrypted. The person; null once the request has ended. */
  person: string | null
  round: Generated<number>
  trace: string | null
  after: Generated<string>
  counts: ColumnType<Counts, string | undefined, string>
  created_at: Date
  finished_at: Date | null
}

export type PrivacyExportPartsTable = {
  team_id: string
  request_id: string
  position: number
  name: string
  /** Sealed with the newest secret. A rotation leaves it, as it is deleted after 24 hours. */
  content: string
}
