import type { ColumnType, Generated } from 'kysely'

declare module '../database.ts' {
  interface Database {
    privacy_requests: {
      team_id: string
      id: string
      type: 'export' | 'erase'
      status: Generated<'running' | 'done' | 'failed'>
      /** Encrypted. The person; null once the request has ended. */
      person: string | null
      /**
       * How far it is: the round of an erasure; the name of a step, such as `0 emails`, or `done`; and the place in the
       * rows of that step. `trace` is the name, which is `stepName` in code.
       */
      round: Generated<number>
      trace: string | null
      after: Generated<string>
      counts: ColumnType<Counts, string | undefined, string>
      created_at: Date
      finished_at: Date | null
    }
    privacy_export_parts: {
      team_id: string
      request_id: string
      position: number
      name: string
      /** Sealed with the newest secret. A rotation leaves it, as it is deleted after 24 hours. */
      content: string
    }
  }
}

export type Counts = Record<string, { found?: number; removed?: number; left?: number }>
